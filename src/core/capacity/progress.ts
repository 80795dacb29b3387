import type { Acceptance, Manifest, WorkloadClass } from '../manifest/schema.ts'
import type { RequestRecord } from '../record/record.ts'
import { meetsCutoffs } from '../slo/meets-cutoffs.ts'

/** A point's counts while it runs, for the decisions that are taken before its files are judged. */
export interface CohortProgress {
  /** Counts a request that reached its terminal status. */
  add(record: RequestRecord): void
  /** Asked at a block's end: whether a class is still short of its floor of resolved successes. */
  extensionNeeded(): boolean
  /** Why no completion of the committed schedule, its largest extension included, can pass any more; null while one can. */
  hopeless(): string | null
  /** Attainment so far by class; null before a success. */
  attainment(): Record<string, number | null>
  /** Requests so far that ended in no success; planned cancellations that are left out are none. */
  failed(): number
}

interface Counts {
  class: WorkloadClass
  /** Rows of the whole committed schedule, every extension included. */
  committed: number
  ok: number
  passing: number
  failed: number
  /** Planned cancellations that the manifest leaves out. */
  excluded: number
}

/**
 * Follows one point's cohort. `blocks` are the committed schedule's rows: the initial ones, then each extension block. Every question
 * costs a few steps a class, so that they can be asked after each request.
 */
export function createProgress(
  manifest: Pick<Manifest, 'workload' | 'acceptance'>,
  blocks: readonly (readonly { class: string }[])[],
): CohortProgress {
  const { acceptance } = manifest
  const classes = manifest.workload.map((entry): Counts => ({
    class: entry,
    committed: 0,
    ok: 0,
    passing: 0,
    failed: 0,
    excluded: 0,
  }))
  const byName = new Map(classes.map((counts) => [counts.class.name, counts]))
  for (const row of blocks.flat()) {
    const counts = byName.get(row.class)
    if (counts) counts.committed += 1
  }
  return {
    add: (record) => {
      const counts = byName.get(record.class)
      if (counts) count(counts, record, acceptance)
    },
    extensionNeeded: () => classes.some(({ ok }) => ok < acceptance.min_successful_samples_per_class),
    hopeless: () => hopelessReason(classes, acceptance),
    failed: () => classes.reduce((sum, { failed }) => sum + failed, 0),
    attainment: () =>
      Object.fromEntries(classes.map(({ class: { name }, ok, passing }) => [name, ok === 0 ? null : passing / ok])),
  }
}

function count(counts: Counts, record: RequestRecord, acceptance: Acceptance): void {
  if (record.status === 'cancelled' && acceptance.planned_cancellations === 'excluded') counts.excluded += 1
  else if (record.status !== 'ok') counts.failed += 1
  else {
    counts.ok += 1
    const originUs = acceptance.latency_origin === 'due' ? record.dueUs : record.sentUs
    if (meetsCutoffs(record, counts.class, originUs)) counts.passing += 1
  }
}

/**
 * The best that can still come is that every committed row that is left succeeds and meets its cutoffs: it is best for all gates at
 * once, so that a gate that fails even then can never hold. Divided as the analyzer divides: correctly rounded quotients keep the order
 * of the exact ones, so that the answer is exact. The sample floor is left out: short of it a point is undersampled, not failed.
 */
function hopelessReason(classes: readonly Counts[], acceptance: Acceptance): string | null {
  let failed = 0
  let attempts = 0
  for (const counts of classes) {
    const reason = hopelessClass(counts, acceptance)
    if (reason) return reason
    failed += counts.failed
    attempts += counts.committed - counts.excluded
  }
  if (attempts > 0 && failed / attempts > acceptance.error_rate_max) {
    return `${failed} of at most ${attempts} requests failed: the error rate cannot come down to ${acceptance.error_rate_max} any more`
  }
  return null
}

function hopelessClass(counts: Counts, acceptance: Acceptance): string | null {
  const { class_slo_attainment_min, class_error_rate_max, attempted_attainment_min } = acceptance
  const { ok, passing, failed } = counts
  const { name } = counts.class
  const attempts = counts.committed - counts.excluded
  const left = Math.max(0, attempts - ok - failed)
  if (ok > passing && (passing + left) / (ok + left) < class_slo_attainment_min) {
    return `${name}: ${ok - passing} successes missed their cutoffs: attainment cannot reach ${class_slo_attainment_min} any more`
  }
  if (class_error_rate_max !== undefined && failed > 0 && failed / attempts > class_error_rate_max) {
    return `${name}: ${failed} of at most ${attempts} requests failed: its error rate cannot come down to ${class_error_rate_max} any more`
  }
  if (
    attempted_attainment_min !== undefined &&
    attempts > 0 &&
    (passing + left) / attempts < attempted_attainment_min
  ) {
    return `${name}: attainment over all attempts cannot reach ${attempted_attainment_min} any more`
  }
  return null
}
