import type { CapacityResult, PointReport } from '../capacity/record.ts'
import type { ClassReport } from '../slo/report.ts'

/** The classes of a state's points, the one that attained least in any of them first; before all one without a success. */
export function classesWorstFirst(result: CapacityResult): string[] {
  const worst = new Map<string, number>()
  for (const { slo } of result.points) {
    for (const [name, { attainment }] of Object.entries(slo.classes)) {
      worst.set(name, Math.min(worst.get(name) ?? 1, attainment ?? 0))
    }
  }
  return [...worst].toSorted(([, a], [, b]) => a - b).map(([name]) => name)
}

/** A name from a file may be one that every object answers to. */
export function classOf({ slo }: PointReport, name: string): ClassReport | null {
  return Object.hasOwn(slo.classes, name) ? (slo.classes[name] ?? null) : null
}
