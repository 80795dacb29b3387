import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { streamInput } from './files.ts'

/** A trace is read in a stream and never held, so that only a pipe without end is refused. */
const TRACE_MAX_BYTES = 1024 ** 4

export interface TraceInput {
  /** Its text, expanded where the file is compressed by gzip. */
  chunks: AsyncIterable<Uint8Array>
  /** Of the file's bytes as they stand: once all chunks were taken. */
  sha256(): string
}

/** A trace that a user named. The chunks throw GateError (exit 4) for a file that cannot be read, or is no whole gzip file. */
export function openTrace(path: string): TraceInput {
  const hash = createHash('sha256')
  return { chunks: expanded(path, hashed(path, hash)), sha256: () => hash.copy().digest('hex') }
}

async function* hashed(path: string, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of streamInput({ what: 'the trace', path, maximumBytes: TRACE_MAX_BYTES })) {
    hash.update(chunk)
    yield chunk
  }
}

async function* expanded(path: string, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { value: first } = await chunks.next()
  if (first === undefined) return
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield first
    yield* chunks
    return
  }
  const gunzip = createGunzip()
  pipeline(Readable.from(after(first, chunks)), gunzip, () => {})
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
  } catch (cause) {
    if (cause instanceof GateError) throw cause
    throw new GateError({
      code: 'trace_compressed',
      message: `the trace ${path} is no whole gzip file`,
      hint: 'fetch it again, or expand it yourself to see how far it goes: gunzip -c',
      exitCode: EXIT.invalid,
      cause,
    })
  }
}

async function* after(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}
