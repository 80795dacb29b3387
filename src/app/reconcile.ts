import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { CohortTable } from '../core/record/table.ts'
import { textAt } from '../core/record/table.ts'
import { scheduleBlocks } from '../core/schedule/blocks.ts'
import type { Schedule } from '../core/schedule/schedule.ts'

/** What a cohort was found to be: the first rows of its schedule, whole blocks only. */
export interface Reconciled {
  scheduleSha256: string
  requests: number
  extensionBlocks: number
}

/**
 * Holds a cohort to its schedule: each id once, of the scheduled class and lengths, none missing and none added, up to the end of the
 * initial rows or of an extension block. Throws GateError `cohort_not_scheduled` (exit 4) with the id, and the row where there is one.
 */
export function reconcile(table: CohortTable, schedule: Schedule): Reconciled {
  const scheduled = new Map(schedule.rows.map((row) => [row.id, row]))
  const seen = new Set(table.ids)
  for (const [index, id] of table.ids.entries()) {
    const row = scheduled.get(id)
    if (row === undefined) throw refusal(table, index, `the schedule has no request ${id}`)
    const name = textAt(table.classes, index)
    if (name !== row.class)
      throw refusal(table, index, `${id} is of class ${row.class} in the schedule, here of ${name}`)
    const input = table.inputTokens[index] ?? -1
    if (input >= 0 && input !== row.inputTokens) {
      throw refusal(table, index, `${id} has ${row.inputTokens} input tokens in the schedule, here ${input}`)
    }
  }
  let requests = 0
  let blocks = -1
  for (const block of scheduleBlocks(schedule)) {
    if (requests >= seen.size) break
    const missing = block.find((row) => !seen.has(row.id))
    if (missing) throw refusal(table, null, `${missing.id} of the schedule is missing`)
    requests += block.length
    blocks += 1
  }
  if (blocks < 0) throw refusal(table, null, `none of the schedule's ${schedule.rows.length} requests is there`)
  return { scheduleSha256: schedule.sha256, requests, extensionBlocks: blocks }
}

function refusal(table: CohortTable, index: number | null, what: string): GateError {
  const place = index === null ? '' : `, row ${table.lines[index]}`
  return new GateError({
    code: 'cohort_not_scheduled',
    message: `${table.file}${place}: ${what}`,
    hint: 'give the requests.csv and the schedule of the same point; a cohort is judged whole or not at all',
    exitCode: EXIT.invalid,
  })
}
