import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Sources } from '../../src/app/ports/sources.ts'
import { EXIT, GateError } from '../../src/core/kernel/errors.ts'

const refusal = (code: string, message: string) =>
  new GateError({ code, message, hint: 'name another file', exitCode: EXIT.invalid })

/** Files in memory, by their path from the manifest's folder; `pieceBytes` is how much comes at once. */
export function fakeSources(files: Readonly<Record<string, string | Uint8Array>> = {}, pieceBytes = 7): Sources {
  return {
    open({ what, path }) {
      const digest = { bytes: new Uint8Array() }
      async function* chunks(): AsyncGenerator<Uint8Array> {
        const place = posix.normalize(path)
        if (posix.isAbsolute(path) || place.startsWith('..')) throw refusal('source_refused', `${what} is outside`)
        if (Object.keys(files).some((name) => name.startsWith(`${place}/`))) {
          throw refusal('path_is_a_folder', `${what} is a folder`)
        }
        const content = files[place]
        if (content === undefined) throw refusal('file_not_found', `cannot read ${what}`)
        if (content.length === 0) throw refusal('file_empty', `${what} is empty`)
        digest.bytes = Buffer.from(content)
        const expanded = digest.bytes[0] === 0x1f && digest.bytes[1] === 0x8b ? gunzip(digest.bytes) : digest.bytes
        for (let at = 0; at < expanded.length; at += pieceBytes) yield expanded.subarray(at, at + pieceBytes)
      }
      return { chunks: chunks(), sha256: () => createHash('sha256').update(digest.bytes).digest('hex') }
    },
  }
}

function gunzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes)
  } catch {
    throw refusal('gzip_damaged', 'no whole gzip file')
  }
}
