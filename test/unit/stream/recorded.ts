import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../fixtures/streams')

/** Chunked framing taken off bytes that may be split anywhere. */
export class Dechunker {
  #held: Buffer = Buffer.alloc(0)
  #left = 0
  isWhole = false

  push(bytes: Uint8Array): Buffer {
    this.#held = Buffer.concat([this.#held, bytes])
    const out: Buffer[] = []
    while (!this.isWhole) {
      if (this.#left > 0) {
        const part = this.#held.subarray(0, this.#left)
        if (part.length === 0) break
        out.push(part)
        this.#left -= part.length
        this.#held = this.#held.subarray(part.length)
        continue
      }
      const start = this.#held.indexOf('\r\n') === 0 ? 2 : 0
      const end = this.#held.indexOf('\r\n', start)
      if (end === -1) break
      this.#left = Number.parseInt(this.#held.toString('latin1', start, end), 16)
      this.#held = this.#held.subarray(end + 2)
      this.isWhole = this.#left === 0
    }
    return Buffer.concat(out)
  }
}

export interface Recorded {
  httpStatus: number
  header(name: string): string | undefined
  body: Buffer
  /** The framing's end came: the body is whole. */
  isWhole: boolean
}

/** A recorded answer: every byte that a real engine sent. */
export function recorded(name: string): Recorded {
  const raw = readFileSync(join(folder, `${name}.raw`))
  const headEnd = raw.indexOf('\r\n\r\n') + 4
  const lines = raw.toString('latin1', 0, headEnd).split('\r\n')
  const header = (wanted: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${wanted}:`))
      ?.slice(wanted.length + 1)
      .trim()
  const rest = raw.subarray(headEnd)
  const framing = new Dechunker()
  const isChunked = header('transfer-encoding') === 'chunked'
  const body = isChunked ? framing.push(rest) : rest
  return { httpStatus: Number(lines[0]?.split(' ')[1]), header, body, isWhole: !isChunked || framing.isWhole }
}

/** Its body in the reads as they happened, with their times in microseconds. */
export function recordedReads(name: string): { bytes: Buffer; atUs: number }[] {
  const raw = readFileSync(join(folder, `${name}.raw`))
  const headEnd = raw.indexOf('\r\n\r\n') + 4
  const framing = new Dechunker()
  return readFileSync(join(folder, `${name}.times.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { t: number; n?: number; off?: number })
    .filter((row) => row.n !== undefined && row.off !== undefined)
    .map(({ t, n = 0, off = 0 }) => {
      const bytes = framing.push(raw.subarray(Math.max(off, headEnd), Math.max(off + n, headEnd)))
      return { bytes, atUs: Math.round(t * 1e6) }
    })
}
