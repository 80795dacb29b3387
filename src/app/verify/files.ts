import { sha256Hex } from '../../core/kernel/hash.ts'
import type { Pack } from '../ports/pack.ts'
import { CHECKSUMS, parseChecksums } from '../run/checksums.ts'
import type { Discrepancy } from './discrepancy.ts'

/** Every file against SHA256SUMS: each listed one is there and unchanged, and none is there that is not listed. */
export async function checkFiles(pack: Pack): Promise<{ discrepancies: Discrepancy[]; paths: readonly string[] }> {
  const paths = await pack.list('.')
  const bytes = await pack.read(CHECKSUMS)
  const sums = bytes === null ? null : parseChecksums(new TextDecoder().decode(bytes))
  if (sums === null) {
    const text =
      bytes === null ? 'the pack has no checksums' : 'a line is not `<sha256>  <path>`, or a path stands twice'
    return { discrepancies: [{ code: 'checksums', path: CHECKSUMS, text }], paths }
  }
  const discrepancies: Discrepancy[] = []
  for (const path of paths) {
    if (path === CHECKSUMS) continue
    const expected = sums.get(path)
    const content = await pack.read(path)
    if (expected === undefined) discrepancies.push({ code: 'unlisted', path, text: 'has no checksum' })
    else if (content === null || sha256Hex(content) !== expected) {
      discrepancies.push({ code: 'checksum', path, text: 'is not the file whose checksum was written' })
    }
  }
  for (const path of sums.keys()) {
    if (!paths.includes(path)) discrepancies.push({ code: 'missing', path, text: 'has a checksum and is not there' })
  }
  return { discrepancies, paths }
}
