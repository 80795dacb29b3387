import { parseDcgm } from '../../core/telemetry/gpu-dcgm.ts'
import type { DcgmValues } from '../../core/telemetry/machine-line.ts'
import { httpCaller, printableLine } from '../system/bounded-http.ts'

/** Where a DCGM exporter listens unless told otherwise. */
const USUAL = 'http://127.0.0.1:9400/metrics'
const DEADLINE_MS = 2000
/** Sixty fields of eight GPUs with their labels are two hundred kilobytes. */
const LARGEST_PAGE = 8 * 1024 * 1024

export interface DcgmPage extends AsyncDisposable {
  /** The exporter's values by UUID; why there are none; or null where none is looked for, or none is at the usual place. */
  read(): Promise<Record<string, DcgmValues> | { why: string } | null>
}

/** `auto`: the usual port of this machine, where one answers. */
export function dcgmPage(url: string): DcgmPage {
  const caller = httpCaller()
  const target = url === 'none' ? null : new URL(url === 'auto' ? USUAL : url)
  const never = new AbortController().signal
  return {
    async read() {
      if (target === null) return null
      const path = `${target.pathname}${target.search}`
      const call = {
        method: 'GET',
        origin: target.origin,
        path,
        deadlineMs: DEADLINE_MS,
        maximumBytes: LARGEST_PAGE,
      } as const
      const result = await caller.call(call, never)
      if ('why' in result) return url === 'auto' ? null : { why: `the DCGM exporter ${result.why}` }
      const { answer } = result
      if (answer.status !== 200) return url === 'auto' ? null : { why: `the DCGM exporter answers ${answer.status}` }
      try {
        return parseDcgm(answer.text) ?? (url === 'auto' ? null : { why: 'the page is no DCGM exporter’s' })
      } catch (error) {
        return { why: printableLine(error instanceof Error ? error.message : String(error), 200) }
      }
    },
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  }
}
