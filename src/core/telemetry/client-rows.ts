import type { Evidence } from '../kernel/evidence.ts'
import type { RequestRecord } from '../record/record.ts'
import { scheduleBlocks } from '../schedule/blocks.ts'
import type { ScheduleRow } from '../schedule/schedule.ts'
import { DueTimes } from './due-times.ts'
import type { PointView } from './point-view.ts'

type View = Pick<PointView, 'manifest' | 'schedule' | 'facts' | 'records'>

/** How many ids a finding names. */
const NAMED = 3

/**
 * Reconciles the records with the schedule: `client.ids` (every row of the cohort once, none from elsewhere; requests.csv cannot hold
 * an id twice; the cohort is whole blocks), `client.rows`
 * (class, session and, in a success, output length are the schedule's, and so is the due time: of a session's turn the later of its own
 * and the end of the turn before plus its think time; none was cancelled but as planned) and, for prompts of token ids or of a dataset,
 * `client.prompt_tokens` (the engine counted the prompt that was scheduled, a dataset's within its tolerance). All blame the client: the
 * point measured something else than its schedule.
 */
export function rowEvidence(view: View): Evidence[] {
  const byId = new Map(view.schedule.rows.map((row, index) => [row.id, { row, index }]))
  const times = new DueTimes(view)
  const expected = view.schedule.rows.slice(0, view.facts.cohortRequests).filter((row) => isDue(row, view, times))
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
  for (const row of expected) if (!seen.has(row.id)) wrongIds.push(`${row.id} is missing`)
  const evidence = [
    finding('client.ids', wrongIds, `all ${expected.length} scheduled requests are there once`),
    finding('client.rows', wrongRows, 'classes, due times and lengths are the schedule’s'),
  ]
  const { prompt, endpoint, dataset } = view.manifest.client
  if (dataset) evidence.push(datasetLengths(view, wrongPrompts, dataset.length_tolerance))
  else if (prompt === 'token_ids' && endpoint === 'completions') {
    evidence.push(finding('client.prompt_tokens', wrongPrompts, 'the engine counted the prompts that were scheduled'))
  }
  return evidence
}

/** Without a tokenizer only the engine knows how long a text is: where it tells of none, nothing is known. */
function datasetLengths({ records }: View, wrong: readonly string[], tolerance: number): Evidence {
  const right = `the engine counted the texts within ${100 * tolerance} % of their class’s input_tokens`
  const found = finding('client.prompt_tokens', wrong, right)
  const isTold = records.some(({ inputTokens }) => inputTokens !== null)
  return isTold ? found : { ...found, state: 'unknown', text: 'the engine tells no prompt’s length' }
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

/** Whether a row's time had come before the arrivals ended. A closed loop has no due times: there the whole cohort counts. */
function isDue(row: ScheduleRow, { facts }: View, times: DueTimes): boolean {
  const cut = facts.maximumReached || facts.stoppedEarly !== null
  if (!cut) return true
  const dueUs = times.dueUs(row)
  return dueUs !== null && dueUs <= facts.arrivalUs
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
