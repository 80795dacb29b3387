import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { type InputFile, streamInput } from './files.ts'

/** It is read in a stream and never held here, so that only a pipe without end is refused. */
const MOST_BYTES = 1024 ** 4

export interface ExpandedInput {
  /** Its text, expanded where the file is compressed by gzip. */
  chunks: AsyncIterable<Uint8Array>
  /** Of the file's bytes as they stand: once all chunks were taken. */
  sha256(): string
}

type Named = Pick<InputFile, 'what' | 'path'>

/** A trace that a user named: see `openExpanded`. */
export function openTrace(path: string): ExpandedInput {
  return openExpanded({ what: 'the trace', path })
}

/** A file that a user named. The chunks throw GateError (exit 4) where it cannot be read, or is no whole gzip file. */
export function openExpanded(file: Named): ExpandedInput {
  const hash = createHash('sha256')
  return { chunks: expanded(file, hashed(file, hash)), sha256: () => hash.copy().digest('hex') }
}

async function* hashed(file: Named, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of streamInput({ ...file, maximumBytes: MOST_BYTES })) {
    hash.update(chunk)
    yield chunk
  }
}

async function* expanded({ what, path }: Named, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { value: first } = await chunks.next()
  if (first === undefined) return
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield first
    yield* chunks
    return
  }
  const gunzip = createGunzip()
  let [readBytes, isRead] = [0, false]
  async function* compressed(head: Uint8Array): AsyncGenerator<Uint8Array> {
    readBytes += head.length
    yield head
    for await (const chunk of chunks) {
      readBytes += chunk.length
      yield chunk
    }
    isRead = true
  }
  pipeline(Readable.from(compressed(first)), gunzip, () => {})
  const damaged = (why: string, cause?: unknown) => gzipDamaged(`${what} ${path} ${why}`, cause)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
    // At zeros behind its last member gunzip ends in silence: what follows would be in neither the rows nor the digest.
    if (!isRead || gunzip.bytesWritten !== readBytes) throw damaged('goes on where its gzip data end')
  } catch (cause) {
    if (cause instanceof GateError) throw cause
    throw damaged('is no whole gzip file', cause)
  }
}

function gzipDamaged(message: string, cause: unknown): GateError {
  return new GateError({
    code: 'gzip_damaged',
    message,
    hint: 'fetch it again, or expand it yourself to see how far it goes: gunzip -c',
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}
