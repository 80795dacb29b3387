import type { Evidence } from '../kernel/evidence.ts'
import type { RequestRecord } from '../record/record.ts'
import { scheduleBlocks } from '../schedule/blocks.ts'
import type { ScheduleRow } from '../schedule/schedule.ts'
import { cancellationEvidence } from './cancellation-evidence.ts'
import { DueTimes } from './due-times.ts'
import type { PointView } from './point-view.ts'

type View = Pick<PointView, 'manifest' | 'schedule' | 'facts' | 'records'>

/** How many ids a finding names. */
const NAMED = 3

/**
 * Reconciles the records with the schedule: `client.ids` (every row of the cohort once, none from elsewhere; requests.csv cannot hold
 * an id twice; the cohort is whole blocks), `client.rows`
 * (class, session and, in a success, output length are the schedule's, and so is the due time: of a session's turn the later of its own
 * and the end of the turn before plus its think time; none was cancelled but as planned), for prompts of token ids or of a dataset
 * `client.prompt_tokens` (the engine counted the prompt that was scheduled, a dataset's within its tolerance), and what became of planned
 * cancellations. All blame the client: the point measured something else than its schedule.
 */
export function rowEvidence(view: View): Evidence[] {
  const byId = new Map(view.schedule.rows.map((row, index) => [row.id, { row, index }]))
  const times = new DueTimes(view)
  const cohort = view.schedule.rows.slice(0, view.facts.cohortRequests)
  const seen = new Set<string>()
  const wrongIds = wholeBlocks(view)
    ? []
    : [`${view.facts.cohortRequests} requests are no whole blocks of the schedule`]
  const wrongRows: string[] = []
  const wrongPrompts: string[] = []
  for (const record of view.records) {
    const scheduled = byId.get(record.id)
    if (!scheduled || scheduled.index >= view.facts.cohortRequests) {
      wrongIds.push(`${record.id} is not in the cohort`)
      continue
    }
    seen.add(record.id)
    const difference = rowDifference(record, scheduled.row, view, times)
    if (difference) wrongRows.push(`${record.id}: ${difference}`)
    const wrongLength = promptDifference(record, scheduled.row, view)
    if (wrongLength) wrongPrompts.push(`${record.id}: ${wrongLength}`)
  }
  for (const row of cohort) {
    if (!seen.has(row.id) && isDue(row, view, times)) wrongIds.push(`${row.id} is missing`)
  }
  return [
    finding('client.ids', wrongIds, `all ${seen.size} scheduled requests are there once`),
    finding('client.rows', wrongRows, 'classes, due times and lengths are the schedule’s'),
    ...promptEvidence(view, wrongPrompts),
    ...cancellationEvidence(view),
  ]
}

/**
 * Where no answer tells its prompt's length nothing is known of it. That is advice for token ids, which have the length that they were sent
 * with; how long a text is only the engine knows.
 */
function promptEvidence({ manifest, records }: View, wrong: readonly string[]): Evidence[] {
  const { prompt, endpoint, dataset } = manifest.client
  if (!dataset && (prompt !== 'token_ids' || endpoint !== 'completions')) return []
  const right = dataset
    ? `the engine counted the texts within ${100 * dataset.length_tolerance} % of their class’s input_tokens`
    : 'the engine counted the prompts that were scheduled'
  const found = finding('client.prompt_tokens', wrong, right)
  if (records.some(({ inputTokens }) => inputTokens !== null)) return [found]
  const required = dataset !== undefined
  return [{ ...found, required, state: 'unknown', text: 'the engine tells no prompt’s length' }]
}

function promptDifference({ inputTokens }: RequestRecord, row: ScheduleRow, { manifest }: View): string | null {
  const { dataset } = manifest.client
  const allowed = dataset ? dataset.length_tolerance * row.inputTokens : 0
  if (inputTokens === null || Math.abs(inputTokens - row.inputTokens) <= allowed) return null
  const within = dataset ? ` ± ${100 * dataset.length_tolerance} %, of text ${row.text ?? 'none'}` : ''
  return `${inputTokens} instead of ${row.inputTokens}${within}`
}

/** A cohort is the initial rows, and whole extension blocks after them. */
function wholeBlocks({ schedule, facts }: View): boolean {
  let rows = 0
  return scheduleBlocks(schedule).some((block) => (rows += block.length) === facts.cohortRequests)
}

/**
 * Whether a row's time had come before the arrivals ended. A stop may come between two rows of one time. A closed loop has no due times: there
 * the whole cohort counts, unless it was cut.
 */
function isDue(row: ScheduleRow, { facts }: View, times: DueTimes): boolean {
  const { arrivalUs, maximumReached, stoppedEarly } = facts
  if (!maximumReached && stoppedEarly === null) return true
  const dueUs = times.dueUs(row)
  return dueUs !== null && (stoppedEarly === null ? dueUs <= arrivalUs : dueUs < arrivalUs)
}

function rowDifference(record: RequestRecord, row: ScheduleRow, { manifest }: View, times: DueTimes): string | null {
  if (record.class !== row.class) return `class ${record.class} instead of ${row.class}`
  if (record.session !== (row.session ?? null) || record.turn !== (row.turn ?? null)) {
    return `turn ${record.turn} of session ${record.session} instead of ${row.turn ?? null} of ${row.session ?? null}`
  }
  const wrongTime = dueDifference(record, row, times)
  if (wrongTime !== null) return wrongTime
  if (record.status === 'cancelled' && row.cancelAfterTokens === undefined) return 'cancelled, which was not planned'
  const { ignore_eos: ignoresEos, min_tokens: minimum } = manifest.client.sampling
  const exact = ignoresEos && minimum === 'equal'
  if (record.status === 'ok' && exact && record.outputTokens !== row.outputTokens) {
    return `${record.outputTokens} output tokens instead of ${row.outputTokens}`
  }
  return null
}

function dueDifference({ dueUs }: RequestRecord, row: ScheduleRow, times: DueTimes): string | null {
  const readyUs = times.readyUs(row)
  if (readyUs === null) return 'sent, although the turn before it was not'
  const ownUs = times.ownUs(row)
  if (ownUs === null) return dueUs < readyUs ? `due at ${dueUs} µs, before its session was ready at ${readyUs}` : null
  const expectedUs = Math.max(ownUs, readyUs)
  return dueUs === expectedUs ? null : `due at ${dueUs} µs instead of ${expectedUs}`
}

function finding(probe: string, wrong: readonly string[], right: string): Evidence {
  const named = wrong.slice(0, NAMED).join('; ')
  const more = wrong.length > NAMED ? ` and ${wrong.length - NAMED} more` : ''
  return {
    probe,
    state: wrong.length === 0 ? 'pass' : 'fail',
    required: true,
    blames: 'client',
    value: wrong.length,
    limit: 0,
    unit: 'requests',
    text: wrong.length === 0 ? right : named + more,
  }
}
