import type { WorkloadClass } from '../../manifest/schema.ts'
import { refusal } from '../refusal.ts'
import type { ClassChoice } from './class-choice.ts'
import { classChooser } from './class-choice.ts'
import type { ImportedFile, ImportedRequest } from './imported-request.ts'
import { LONGEST_US } from './spans.ts'
import { originOf } from './tool.ts'

/** A row of requests.csv is refused from 128 KiB on. */
const LONGEST_TEXT = 1024

/** An imported request with its id and class. */
export type CohortRequest = ImportedRequest & { id: string; class: string }

export interface ImportedCohort {
  /** `guidellm/0.5.0`: what the column `origin` says. */
  origin: string
  /** In the order of sending where the file tells it, else in the file's. */
  requests: CohortRequest[]
  /** The earliest moment, that microseconds are counted from; null where the file holds none. */
  originAtUs: number | null
  /** From the first moment to the last end, drain included; the tool's own figure where ends are not told; null where neither is. */
  durationSeconds: number | null
  /** From the first sent to the last sent; null where the file does not tell it. */
  arrivalSeconds: number | null
  notes: string[]
}

/**
 * A file's requests as one cohort: each with an id (the tool's, or `i-00001` by its place) and a class; a success without a first token,
 * a length or usage, or of another length than its class's, becomes an error, as one that this tool had sent would. Takes the file's requests over.
 *
 * @throws GateError, exit 4: `import_empty`, `import_id`, `import_class`, `import_text`, `import_clocks`,
 * `import_negative`, `import_times`, `import_no_success`.
 */
export function importedCohort(
  read: ImportedFile,
  choice: ClassChoice,
  workload: readonly WorkloadClass[],
  file: string,
): ImportedCohort {
  if (read.requests.length === 0) {
    throw refusal(file, { code: 'import_empty', what: 'it holds no requests', hint: 'let the tool finish its run' })
  }
  const chooseClass = classChooser(choice, workload, file)
  const width = Math.max(5, String(read.requests.length).length)
  const demoted = new Map<string, number>()
  const requests = read.requests.map((request, i): CohortRequest => {
    const of = chooseClass(request)
    const id = cellText(request, 'id', file) || `i-${String(i + 1).padStart(width, '0')}`
    const session = cellText(request, 'session', file)
    const changes = settled(request, of.output_tokens, file)
    if (changes.errorCode) demoted.set(changes.errorCode, (demoted.get(changes.errorCode) ?? 0) + 1)
    // Not copied: there may be hundreds of thousands.
    return Object.assign(request, changes, { id, session, class: of.name })
  })
  refuseRepeatedIds(requests, file)
  const span = spanOf(requests, read.durationSeconds, file)
  refuseNoSuccess(requests, demoted, file)
  const told = [...demoted].map(([code, count]) => `${code} ${count}`).join(', ')
  return {
    origin: originOf(read.tool, read.version),
    requests: inOrderOfSending(requests),
    originAtUs: span.from,
    durationSeconds: span.durationSeconds ?? read.durationSeconds,
    arrivalSeconds: span.arrivalSeconds,
    notes: [...read.notes, ...(told === '' ? [] : [`successes to the tool that count as errors here: ${told}`])],
  }
}

/** A text from outside as a cell can hold it. Throws GateError `import_text` for one that no row would take. */
function cellText(request: ImportedRequest, name: 'id' | 'session', file: string): string | null {
  const text = request[name]
  if (text === null || text.length <= LONGEST_TEXT) return text?.toWellFormed().replaceAll('\0', '\u{fffd}') ?? null
  const what = `${request.place} has a text of ${text.length} characters as its ${name}; at most ${LONGEST_TEXT} are taken`
  throw refusal(file, { code: 'import_text', what, hint: 'hand in the file as the tool wrote it' })
}

type Settled = Partial<Pick<ImportedRequest, 'status' | 'errorCode' | 'e2eUs'>>

/** What of a success changes by our own rules. */
function settled(request: ImportedRequest, expectedTokens: number, file: string): Settled {
  const { status, ttftUs, e2eUs, outputTokens } = request
  if (status !== 'ok') return {}
  const error = (errorCode: ImportedRequest['errorCode']): Settled => ({ status: 'error', errorCode })
  if (ttftUs === null || outputTokens === 0) return error('no_token')
  if (outputTokens === null) return error('usage_missing')
  // One token is the first and the last; what came after it (usage, the end) is no token.
  const lastUs = outputTokens === 1 ? ttftUs : e2eUs
  if (lastUs === null) return error('end_without_finish')
  if (lastUs < ttftUs) {
    const what = `${request.place} ended after ${lastUs} µs, before its first token after ${ttftUs} µs`
    throw refusal(file, { code: 'import_times', what, hint: 'a clock stepped, or the file was edited: measure again' })
  }
  return outputTokens === expectedTokens ? { e2eUs: lastUs } : { ...error('wrong_length'), e2eUs: lastUs }
}

function refuseRepeatedIds(requests: readonly CohortRequest[], file: string): void {
  const seen = new Map<string, string>()
  for (const { id, place } of requests) {
    const before = seen.get(id)
    if (before !== undefined) {
      const what = `${place} has the id of ${before}: ${JSON.stringify(id.slice(0, 40))}`
      throw refusal(file, { code: 'import_id', what, hint: 'import one run; a cohort holds each request once' })
    }
    seen.set(id, place)
  }
}

/** Throws GateError `import_clocks` for moments farther apart than a cohort's or the run's own length, and `import_negative`. */
function spanOf(requests: readonly CohortRequest[], runSeconds: number | null, file: string) {
  let first: { at: number; place: string } | null = null
  let last: { at: number; place: string } | null = null
  let [endAtUs, firstSent, lastSent] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [ends, sent] = [0, 0]
  for (const request of requests) {
    refuseEndBeforeSent(request, file)
    for (const at of [request.dueAtUs, request.sentAtUs, request.endAtUs]) {
      if (at === null) continue
      if (first === null || at < first.at) first = { at, place: request.place }
      if (last === null || at > last.at) last = { at, place: request.place }
    }
    if (request.sentAtUs !== null) {
      sent++
      firstSent = Math.min(firstSent, request.sentAtUs)
      lastSent = Math.max(lastSent, request.sentAtUs)
    }
    if (request.endAtUs === null) continue
    ends++
    endAtUs = Math.max(endAtUs, request.endAtUs)
  }
  if (first === null || last === null) return { from: null, durationSeconds: null, arrivalSeconds: null }
  const longestUs = runSeconds === null ? LONGEST_US : Math.min(LONGEST_US, (2 * runSeconds + 1) * 1e6)
  if (last.at - first.at > longestUs) throw mixedClocks(first.place, last.place, longestUs, file)
  const whole = ends === requests.length
  return {
    from: first.at,
    durationSeconds: whole ? Math.round(endAtUs - first.at) / 1e6 : null,
    arrivalSeconds: sent === requests.length ? Math.round(lastSent - firstSent) / 1e6 : null,
  }
}

function refuseEndBeforeSent({ place, sentAtUs, endAtUs }: CohortRequest, file: string): void {
  if (sentAtUs === null || endAtUs === null || endAtUs >= sentAtUs) return
  const what = `${place} ended ${Math.round(sentAtUs - endAtUs)} µs before it was sent`
  const hint = 'a clock stepped, or the file was edited: measure again'
  throw refusal(file, { code: 'import_negative', what, hint })
}

function mixedClocks(first: string, last: string, longestUs: number, file: string) {
  const than = longestUs === LONGEST_US ? 'a week' : 'twice the run’s own duration'
  return refusal(file, {
    code: 'import_clocks',
    what: `${first} and ${last} lie more than ${than} apart: their moments are of two clocks`,
    hint: 'import the requests of one process’s one run',
  })
}

function inOrderOfSending(requests: readonly CohortRequest[]): CohortRequest[] {
  // Where not every request tells when it was sent, the file's order is all there is.
  if (requests.some(({ sentAtUs }) => sentAtUs === null)) return [...requests]
  return requests.toSorted((a, b) => (a.sentAtUs ?? 0) - (b.sentAtUs ?? 0))
}

const NO_SUCCESS_HINTS: Readonly<Record<string, string>> = {
  wrong_length: 'give the manifest whose workload was run; answers of other lengths cannot be judged by it',
  usage_missing: 'have the engine report usage: only its own count of tokens is one',
  no_token: 'measure with streaming: a first token can only be timed in a stream',
}

/** A tool's successes of which none is left say that the file or the manifest is the wrong one. */
function refuseNoSuccess(requests: readonly CohortRequest[], demoted: ReadonlyMap<string, number>, file: string): void {
  const [code, count] = [...demoted].toSorted((a, b) => b[1] - a[1])[0] ?? ['', 0]
  if (count === 0 || requests.some(({ status }) => status === 'ok')) return
  const successes = [...demoted.values()].reduce((sum, each) => sum + each, 0)
  const what = `none of its ${successes} successes can be judged: ${count} are ${code}`
  const hint = NO_SUCCESS_HINTS[code] ?? 'look at the first of them in the file'
  throw refusal(file, { code: 'import_no_success', what, hint })
}
