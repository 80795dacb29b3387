import type { SloReport } from './report.ts'

/** The lowest attainment of a report's classes, a share; null where a class has none: the worst of the rest would flatter the point. */
export function worstAttainment({ classes }: Pick<SloReport, 'classes'>): number | null {
  const shares = Object.values(classes).map(({ attainment }) => attainment)
  const known = shares.filter((share) => share !== null)
  return known.length === 0 || known.length < shares.length ? null : Math.min(...known)
}
