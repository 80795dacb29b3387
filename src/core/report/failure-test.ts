import { columns, table } from './table.ts'

/** What a drill records, in the order in which it happens. */
const FIELDS = [
  'passing rate under which the fault was injected (RPS)',
  'fault injected, and into which replica',
  'injection time',
  'detection time',
  'time at which the router removed the replica',
  'first error time',
  'last error time',
  'TTFT, TPOT and attainment by class during the incident',
  'queue peak',
  'queue recovery time',
  'requests retried',
  'requests rejected',
  'requests lost',
  'alerts that fired',
  'whether capacity returned without repair by hand',
] as const

/** failure-test.md of a pack without a drill. A drill that was not performed is said to be none: it never reads as one that passed. */
export function renderFailureTest(): string {
  return `# Failure test: not performed

No fault was injected in this run, so nothing here says how the service fails. To fill this in: hold a rate that passes, end one
replica, and record what follows. Losing a replica costs capacity; the service passes if it finds and removes the replica, shows its
errors or sheds load openly, and comes back to a stable state.

${table(
  columns('what', 'seen'),
  FIELDS.map((field) => [field, 'not performed']),
)}
`
}
