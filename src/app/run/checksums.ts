import { sha256Hex } from '../../core/kernel/hash.ts'
import type { Pack } from '../ports/pack.ts'

export const CHECKSUMS = 'SHA256SUMS'

/** SHA256SUMS over every other file of the pack, in `sha256sum`'s own format: `sha256sum -c SHA256SUMS` checks it too. */
export async function writeChecksums(pack: Pack): Promise<void> {
  const lines: string[] = []
  for (const path of await pack.list('.')) {
    const bytes = path === CHECKSUMS ? null : await pack.read(path)
    if (bytes !== null) lines.push(`${sha256Hex(bytes)}  ${path}\n`)
  }
  await pack.write(CHECKSUMS, lines.join(''))
}

/** The lines of SHA256SUMS as path → digest; null where a line is not one of them. */
export function parseChecksums(text: string): Map<string, string> | null {
  const sums = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line)
    const [, digest, path] = match ?? []
    if (digest === undefined || path === undefined || sums.has(path)) return null
    sums.set(path, digest)
  }
  return sums
}
