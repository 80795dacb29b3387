import { printableLine } from '../system/bounded-http.ts'
import type { OutputStream } from '../system/process-group.ts'
import type { SecretMask } from './secret-mask.ts'

const LONGEST_LINE = 16_384
const REMEMBERED_LINES = 20
/** Per deployment: an engine that prints without end must not fill the disk that holds the measurements. */
const LOG_LIMIT_CHARACTERS = 64 * 1024 * 1024

export interface EngineLog {
  /** Takes what one replica printed on one of its streams, in any pieces. */
  take(replica: number, chunk: Buffer, stream: OutputStream): void
  /** The last lines of one replica, oldest first, fit for one line of an error message. */
  lastLines(replica: number, count: number): string[]
  /** Hands over what stands without a line end. */
  finish(): void
}

/** Joins what the replicas print to whole lines `[r0] …`, without secrets, and hands them to `sink`. */
export function engineLog(sink: { write(chunk: string): void }, secrets: SecretMask): EngineLog {
  const { mask, longest } = secrets
  const streams = new Map<string, { replica: number; decoder: InstanceType<typeof TextDecoder>; open: string }>()
  const remembered = new Map<number, string[]>()
  let written = 0

  const emit = (replica: number, line: string) => {
    remembered.set(replica, [...(remembered.get(replica) ?? []), line].slice(-REMEMBERED_LINES))
    if (written > LOG_LIMIT_CHARACTERS) return
    written += line.length
    sink.write(`[r${replica}] ${line}\n`)
    if (written > LOG_LIMIT_CHARACTERS) sink.write('[log cut: the engine printed too much]\n')
  }
  return {
    take(replica, chunk, stream) {
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
    lastLines: (replica, count) =>
      (remembered.get(replica) ?? []).slice(-count).map((line) => printableLine(line, 300)),
    finish() {
      for (const state of streams.values()) {
        if (state.open !== '') emit(state.replica, mask(state.open).slice(0, LONGEST_LINE))
        state.open = ''
      }
    },
  }
}
