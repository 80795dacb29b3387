import { canonicalSha256 } from '../kernel/canonical.ts'
import { missingGroups } from '../kernel/evidence.ts'
import type { Reason } from '../kernel/evidence.ts'
import { pointEpoch, pointName } from '../kernel/point.ts'
import { bracketOf, openMilliRps, pointsByRate, votesOf } from '../capacity/by-rate.ts'
import type { CapacityRecord, CapacityResult, PointReport } from '../capacity/record.ts'
import type { ClassReport, SloReport } from '../slo/report.ts'
import type { Terms } from './terms.ts'

/** Contradictions shown at most; one is enough to refuse a record. */
const SHOWN = 5

/**
 * Where a record contradicts itself: a bracket upside down, a rate without the point that shows it, a point that passes against
 * its own numbers, an experiment that does not give its own hash. A record comes from a file that anyone may have edited; what it
 * concludes is believed only as far as its own facts carry it.
 */
export function contradictions(record: CapacityRecord, terms: Terms, whose: string): Reason[] {
  const found: string[] = []
  if (!givesItsHash(record.experiment)) {
    found.push('experiment: its value does not give its sha256')
  }
  const seen = new Set<string>()
  for (const result of record.capacity) {
    if (seen.has(result.cache)) found.push(`${result.cache}: two results for one cache state`)
    seen.add(result.cache)
    found.push(...inResult(result, record.schedules[result.cache] ?? null).map((text) => `${result.cache}: ${text}`))
    for (const point of result.points) found.push(...inPoint(point, terms))
  }
  return found.slice(0, SHOWN).map((text) => ({ code: 'record_contradictory', text: `${whose}: ${text}` }))
}

/** A value without a canonical form gives no hash. */
function givesItsHash({ value, sha256 }: CapacityRecord['experiment']): boolean {
  try {
    return canonicalSha256(value) === sha256
  } catch {
    return false
  }
}

function inResult(result: CapacityResult, scheduleSha256: string | null): string[] {
  const { passMilliRps: pass, failMilliRps: fail, points } = result
  const found: string[] = []
  if (pass !== null && fail !== null && pass >= fail) found.push(`pass rate ${pass} is not below fail rate ${fail}`)
  for (const [name, rate] of [
    ['pass', pass],
    ['fail', fail],
  ] as const) {
    if (rate !== null && !points.some((point) => openMilliRps(point) === rate && point.outcome === name)) {
      found.push(`no point shows the ${name} rate ${rate}`)
    }
  }
  const failedBelow = [...pointsByRate(points)].find(
    ([rate, repeats]) => pass !== null && rate <= pass && isUnanimousFail(repeats),
  )
  if (failedBelow !== undefined) found.push(`pass rate ${pass} is not below ${failedBelow[0]}, which failed`)
  const shown = bracketOf(points)
  if (found.length === 0 && (shown.pass !== pass || shown.fail !== fail)) {
    const said = (rate: number | null) => rate ?? 'nothing'
    found.push(
      `its points show ${said(shown.pass)} passing and ${said(shown.fail)} failing, not ${said(pass)} and ${said(fail)}`,
    )
  }
  if (points.some((point) => point.key.cache !== result.cache)) found.push('a point of the other cache state')
  if (points.some((point) => point.scheduleSha256 !== scheduleSha256)) found.push('a point of another schedule')
  if (new Set(points.map((point) => pointName(point.key))).size < points.length) found.push('two points of one name')
  return found
}

function inPoint(point: PointReport, terms: Terms): string[] {
  const name = pointName(point.key)
  const found = Object.entries(point.slo.classes)
    .filter(([, report]) => !addsUp(report))
    .map(([className]) => `${name}: the counts of ${className} do not add up`)
  if (point.slo.successful + point.slo.failed > point.slo.attempted) found.push(`${name}: its counts do not add up`)
  if (point.epoch !== pointEpoch(point.key)) found.push(`${name}: its prompts are another point’s`)
  if (point.outcome !== 'pass') return found
  const gate = failedGate(point.slo, terms)
  if (gate !== null) found.push(`${name}: passes although ${gate}`)
  const unproven = point.evidence.find((item) => item.required && item.state !== 'pass')
  if (unproven !== undefined) found.push(`${name}: passes although ${unproven.probe} is ${unproven.state}`)
  const silent = missingGroups(point.evidence, terms.requiredEvidence)[0]
  if (silent !== undefined) found.push(`${name}: passes although no probe of ${silent} is there`)
  if (point.stoppedEarly) found.push(`${name}: passes although it was stopped early`)
  return found
}

function isUnanimousFail(repeats: readonly PointReport[]): boolean {
  const { passes, fails } = votesOf(repeats)
  return passes === 0 && fails > 0
}

function addsUp(report: ClassReport): boolean {
  const { successful_count: ok, passing_count: passing, failed_count: failed, attempted_count: attempted } = report
  if (passing > ok || ok + failed > attempted) return false
  return ok === 0 ? report.attainment === null : report.attainment !== null && close(report.attainment, passing / ok)
}

/** The first gate of the declared rule that a report's own counts do not pass; null where all do. */
function failedGate(slo: SloReport, terms: Terms): string | null {
  for (const name of terms.classes) {
    const report = Object.hasOwn(slo.classes, name) ? slo.classes[name] : undefined
    if (report === undefined || report.successful_count < terms.samplesMin) return `${name} is short of its samples`
    if (report.passing_count / report.successful_count < terms.attainmentMin) return `${name} misses its attainment`
    const classErrors = report.error_rate ?? 1
    if (terms.classErrorRateMax !== null && classErrors > terms.classErrorRateMax) return `${name} has too many errors`
    const attained = report.attempted_attainment
    if (terms.attemptedAttainmentMin !== null && (attained === null || attained < terms.attemptedAttainmentMin)) {
      return `${name} misses its attainment over attempted`
    }
  }
  // Planned cancellations that the manifest leaves out are in neither count.
  if (slo.attempted === 0 || slo.failed / slo.attempted > terms.errorRateMax) return 'it has too many errors'
  if (slo.queue_trend !== 'flat') return `its queue is ${slo.queue_trend}`
  return slo.capacity_gate_pass ? null : 'its report does not'
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9
}
