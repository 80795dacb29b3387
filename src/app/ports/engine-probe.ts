import type { ControlAnswer } from '../../core/dialect/control-answers.ts'

export interface ProbeCall {
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  /** JSON. */
  body?: string
  /** For the whole call. */
  deadlineMs: number
  maximumBytes: number
}

/** An answer, whatever its status, or one printable line about why there is none. */
export type ProbeResult = { answer: ControlAnswer } | { why: string }

/** Single calls of one engine that is up; what it answers is hostile input, bounded in time and size. */
export interface EngineProbe {
  /** Throws only when `signal` is aborted: then its reason. */
  call(call: ProbeCall, signal: AbortSignal): Promise<ProbeResult>
}
