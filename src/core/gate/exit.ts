import { EXIT } from '../kernel/errors.ts'
import type { ExitCode } from '../kernel/errors.ts'
import { allReasons } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/**
 * The exit code of a verdict: 0 held, improved or recorded · 2 regressed · 3 inconclusive · 4 invalid. With `warn`, inconclusive is
 * 0; but never where the baseline is missing, of another experiment or imported: a lost baseline, a loosened workload or another tool's
 * file would switch the gate off unseen.
 */
export function exitCodeOf(verdict: Verdict, onInconclusive: 'fail' | 'warn' = 'fail'): ExitCode {
  switch (verdict.outcome) {
    case 'held':
    case 'improved':
    case 'recorded':
      return EXIT.ok
    case 'regressed':
      return EXIT.regressed
    case 'invalid':
      return EXIT.invalid
    case 'inconclusive':
      return onInconclusive === 'warn' && !isUngated(verdict) ? EXIT.ok : EXIT.inconclusive
  }
}

const UNGATED: ReadonlySet<string> = new Set([
  'baseline_missing',
  'baseline_state_missing',
  'experiment_differs',
  'imported_cohort',
])

function isUngated(verdict: Verdict): boolean {
  return allReasons(verdict).some(({ code }) => UNGATED.has(code))
}
