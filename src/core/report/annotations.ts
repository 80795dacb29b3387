import { allReasons, decidingState } from '../gate/verdict.ts'
import type { Outcome, StateVerdict, Verdict } from '../gate/verdict.ts'
import { plainText } from './escape.ts'
import { METRIC_NAMES } from './headline.ts'

/** Where a part of the manifest stands in the repository. */
interface Place {
  file: string
  line: number
  column: number
}

/** One line of a check's annotations; a title and a message of plain text, on the manifest's line where one is to blame. */
export interface Annotation extends Partial<Place> {
  level: 'error' | 'warning' | 'notice'
  title: string
  message: string
}

/** Where a path's key stands in the manifest, or the nearest thing above that does; null where the file is not at hand. */
export type ManifestPlaces = (path: readonly (string | number)[]) => Place | null

/** GitHub shows ten a step. */
const ANNOTATIONS_MAX = 10

const LEVELS: Record<Outcome, Annotation['level']> = {
  held: 'notice',
  improved: 'notice',
  recorded: 'warning',
  inconclusive: 'warning',
  invalid: 'error',
  regressed: 'error',
}

/** The line of the manifest that a reason is about: what was not met, or cannot be compared. */
const PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  ['below_baseline', ['acceptance', 'capacity_tolerance']],
  ['below_anchor', ['acceptance', 'capacity_tolerance']],
  ['below_min_capacity', ['acceptance', 'min_capacity_rps']],
  ['class_attainment', ['acceptance', 'class_slo_attainment_min']],
  ['error_rate', ['acceptance', 'error_rate_max']],
  ['class_error_rate', ['acceptance', 'class_error_rate_max']],
  ['attempted_attainment', ['acceptance', 'attempted_attainment_min']],
  ['queue_growing', ['acceptance', 'queue_trend_required']],
  ['undersampled', ['acceptance', 'min_successful_samples_per_class']],
  ['evidence_unknown', ['acceptance', 'required_evidence']],
  ['identity_failed', ['engine', 'version']],
])
const CUTOFFS: ReadonlyMap<string, string> = new Map([
  ['ttft', 'request_ttft_cutoff_ms'],
  ['tpot', 'request_tpot_cutoff_ms'],
  ['e2e', 'request_e2e_cutoff_ms'],
])

/**
 * A verdict's reasons as annotations, the worst first, at most ten; the last says how many there was no room for. A regression also
 * points to the cutoff that was missed first. `classes` are the manifest's, in its order.
 */
export function annotations(
  verdict: Verdict,
  places: ManifestPlaces = () => null,
  classes: readonly string[] = [],
): Annotation[] {
  const all = allReasons(verdict).map(({ cache, code, text }): Annotation => {
    const state = verdict.states.find((one) => one.cache === cache)
    const outcome = state?.outcome ?? verdict.outcome
    const path = PATHS.get(code)
    return {
      level: state?.acceptedLoss === undefined ? LEVELS[outcome] : 'warning',
      title: state?.acceptedLoss === undefined ? titleOf(outcome, cache) : `Capacity held, accepted loss (${cache})`,
      message: `${plainText(text, 500)} [${plainText(code, 60)}]`,
      ...(path === undefined ? {} : places(path)),
    }
  })
  const worst = decidingState(verdict)
  const missed = worst === null ? [] : missedCutoff(worst, places, classes)
  const rank = { error: 0, warning: 1, notice: 2 } as const
  const sorted = [...missed, ...all, ...needless(verdict)].toSorted((a, b) => rank[a.level] - rank[b.level])
  if (sorted.length <= ANNOTATIONS_MAX) return sorted
  const shown = sorted.slice(0, ANNOTATIONS_MAX - 1)
  const message = `and ${sorted.length - shown.length} more reasons: see the report`
  return [...shown, { level: sorted[shown.length]?.level ?? 'notice', title: 'More reasons', message }]
}

/** An accepted loss that is not there: what lies about could cover another one. */
function needless({ states }: Verdict): Annotation[] {
  return states.flatMap(({ cache, notes }) =>
    notes
      .filter(({ code }) => code === 'accepted_loss_not_needed')
      .map(({ text }): Annotation => ({
        level: 'warning',
        title: `Accepted loss not needed (${cache})`,
        message: plainText(text, 500),
      })),
  )
}

function titleOf(outcome: Outcome, cache: string | null): string {
  const where = cache === null ? '' : ` (${cache})`
  return outcome === 'recorded' ? `NOT GATED${where}` : `Capacity ${outcome}${where}`
}

function missedCutoff(
  { outcome, cache, limiting }: StateVerdict,
  places: ManifestPlaces,
  classes: readonly string[],
): Annotation[] {
  const cutoff = CUTOFFS.get(limiting?.metric ?? '')
  const index = classes.indexOf(limiting?.class ?? '')
  if (outcome !== 'regressed' || limiting === null || cutoff === undefined || index < 0) return []
  const place = places(['workload', index, cutoff])
  if (place === null) return []
  const message = `${plainText(limiting.class, 80)} misses its ${METRIC_NAMES.get(limiting.metric)} cutoff first`
  return [{ level: 'error', title: titleOf(outcome, cache), message, ...place }]
}
