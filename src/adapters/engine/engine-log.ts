import { printableLine } from '../system/bounded-http.ts'
import type { OutputStream } from '../system/process-group.ts'
import type { SecretMask } from '../system/secret-mask.ts'

const LONGEST_LINE = 16_384
const REMEMBERED_LINES = 20
/** Per deployment, in bytes: an engine that prints without end must not fill the disk that holds the measurements. */
const LOG_LIMIT_BYTES = 32 * 1024 * 1024
/** Of what comes after the limit, the end is kept in memory for the last lines. */
const TAIL_BYTES = 65_536

/** In a replica's place: the router. */
export const ROUTER = -1

export interface EngineLog {
  /** Takes what one replica printed on one of its streams, in any pieces. */
  take(replica: number, chunk: Buffer, stream: OutputStream): void
  /** The last lines of one replica, oldest first, fit for one line of an error message. */
  lastLines(replica: number, count: number): string[]
  /** Hands over what stands without a line end. */
  finish(): void
}

/**
 * Joins what the replicas print to whole lines `[r0] …`, without secrets, and hands them to `sink`, up to a limit. What comes after it
 * is hardly looked at: reading it would take time from the measurement.
 */
export function engineLog(sink: { write(chunk: string): void }, secrets: SecretMask): EngineLog {
  const { mask, longest } = secrets
  const streams = new Map<string, { replica: number; decoder: InstanceType<typeof TextDecoder>; open: string }>()
  const remembered = new Map<number, string[]>()
  const tails = new Map<number, Buffer>()
  let written = 0

  const emit = (replica: number, line: string) => {
    const last = remembered.get(replica) ?? []
    remembered.set(replica, last)
    if (last.push(line) > REMEMBERED_LINES) last.shift()
    if (written > LOG_LIMIT_BYTES) return
    const whole = `[${replica === ROUTER ? 'router' : `r${replica}`}] ${line}\n`
    written += Buffer.byteLength(whole)
    sink.write(whole)
    if (written > LOG_LIMIT_BYTES) sink.write('[log cut: the engine printed too much]\n')
  }
  return {
    take(replica, chunk, stream) {
      if (written > LOG_LIMIT_BYTES) {
        tails.set(replica, endOf(tails.get(replica), chunk))
        return
      }
      const state = streams.get(`${replica} ${stream}`) ?? { replica, decoder: new TextDecoder(), open: '' }
      streams.set(`${replica} ${stream}`, state)
      const lines = (state.open + state.decoder.decode(chunk, { stream: true })).split(/\r?\n/)
      state.open = lines.pop() ?? ''
      for (const line of lines) emit(replica, mask(line).slice(0, LONGEST_LINE))
      // A line without end is cut where no secret can straddle the cut.
      if (state.open.length > LONGEST_LINE + longest) {
        const whole = mask(state.open)
        emit(replica, whole.slice(0, -longest || undefined))
        state.open = longest === 0 ? '' : whole.slice(-longest)
      }
    },
    lastLines(replica, count) {
      const last = [...(remembered.get(replica) ?? []), ...tailLines(tails.get(replica)).map(mask)]
      return last.slice(-count).map((line) => printableLine(line, 300))
    },
    finish() {
      for (const state of streams.values()) {
        if (state.open !== '') emit(state.replica, mask(state.open).slice(0, LONGEST_LINE))
        state.open = ''
      }
    },
  }
}

function endOf(tail: Buffer | undefined, chunk: Buffer): Buffer {
  // A copy: a view would keep all of a chunk alive.
  if (!tail || chunk.length >= TAIL_BYTES) return Buffer.from(chunk.subarray(-TAIL_BYTES))
  return Buffer.concat([tail.subarray(-(TAIL_BYTES - chunk.length)), chunk])
}

/** The first line is left out: it may be half of one, and half of a secret. */
function tailLines(tail: Buffer | undefined): string[] {
  const lines = tail?.toString('utf8').trimEnd().split(/\r?\n/) ?? []
  return lines.slice(1)
}
