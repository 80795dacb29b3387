import { showNumber } from '../../../manifest/finding.ts'
import type { ArrivalProfile } from './arrival-statistics.ts'
import type { ClassProfile } from './class-profile.ts'
import type { LengthTable } from './length-table.ts'
import type { ReuseProfile } from './reuse-distance.ts'
import type { SessionProfile } from './session-statistics.ts'
import type { LengthProfile, TraceProfile } from './trace-profile.ts'

const NAME_MAX = 20

/** For a terminal of 80 columns. The trace's own words in it are class names alone. */
export function profileText(profile: TraceProfile): string {
  const sections = [
    lengthSection(profile),
    tableSection(profile.lengthTable),
    arrivalSection(profile.arrivals),
    profile.reuse === null ? [] : reuseSection(profile.reuse),
    profile.sessions === null ? [] : sessionSection(profile.sessions),
    classSection(profile),
  ]
  return sections.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])).join('\n')
}

const LENGTH_COLUMNS = ['mean', 'min', 'p5', 'p25', 'p50', 'p75', 'p95', 'p99', 'max'] as const

function lengthSection({ inputTokens, outputTokens, lengthCorrelation }: TraceProfile): string[] {
  const row = (name: string, lengths: LengthProfile) => [
    name,
    ...LENGTH_COLUMNS.map((column) => String(Math.round(lengths[column]))),
  ]
  return [
    'Lengths in tokens',
    ...aligned([['', ...LENGTH_COLUMNS], row('input', inputTokens), row('output', outputTokens)]),
    lengthCorrelation === null
      ? `  one of them ${isFixed(inputTokens) || isFixed(outputTokens) ? 'never varies' : 'varies by less than a bin of 12 %'}: there is no correlation`
      : `  rank correlation of input and output (Spearman): ${signed(lengthCorrelation)}`,
  ]
}

function isFixed({ min, max }: LengthProfile): boolean {
  return min === max
}

function tableSection({ inputFrom, outputFrom, shares }: LengthTable): string[] {
  const head = ['input', ...outputFrom.map((from) => `${showNumber(from)}+`)]
  const rows = shares.map((row, index) => [`${showNumber(inputFrom[index] ?? 0)}+`, ...row.map(tablePercent)])
  return ['Share of requests (%) by input length, down, and output length, across', ...aligned([head, ...rows])]
}

function arrivalSection(arrivals: ArrivalProfile): string[] {
  const { meanRps, spanSeconds, gapCv, burstiness, gammaShape, simultaneousShare, windows } = arrivals
  if (meanRps === null || gapCv === null || burstiness === null) return ['Arrivals', '  all at the same time']
  const facts = [
    ['mean rate', `${significant(meanRps)} requests/s over ${duration(spanSeconds)}`],
    ['gaps', `CV ${significant(gapCv)} (Poisson 1), burstiness ${signed(burstiness)} (Poisson 0)`],
    ['gamma of those gaps', gammaShape === null ? 'none: they never vary' : `shape ${significant(gammaShape)}`],
    ['at the same time as the one before', `${percent(simultaneousShare)} %`],
  ]
  const rows = worthShowing(windows).map((window) => [
    duration(window.seconds),
    showNumber(window.windows),
    significant(window.meanRequests),
    significant(window.indexOfDispersion),
    `${significant(window.peakOverMean)}×`,
  ])
  const table = aligned([['window', 'windows', 'mean', 'dispersion', 'peak/mean'], ...rows])
  return [
    'Arrivals',
    ...facts.map(([name = '', value]) => `  ${name}: ${value}`),
    ...(rows.length === 0
      ? ['  too short to count in windows']
      : ['  counts in windows; dispersion is variance/mean, Poisson 1 at every width', ...table]),
    ...arrivalNotes(arrivals),
  ]
}

/** Where nearly every window is empty, the counts say no more than the mean rate. */
function worthShowing(windows: ArrivalProfile['windows']): ArrivalProfile['windows'] {
  return windows.filter(({ meanRequests }) => meanRequests >= 0.1)
}

/** What the figures mean for whoever chooses a pattern. */
function arrivalNotes({ simultaneousShare, windows, gapCv }: ArrivalProfile): string[] {
  const widest = windows.at(-1)
  const ofGaps = Math.max(1, (gapCv ?? 1) * (gapCv ?? 1))
  return [
    ...(simultaneousShare > 0.5
      ? [
          '  note: times come in steps, most requests share one: bursts below a step are',
          '  the clock’s and not the users’',
        ]
      : []),
    ...(widest !== undefined && widest.indexOfDispersion > 2 * ofGaps
      ? [
          `  note: over ${duration(widest.seconds)} the rate itself wanders, more than gaps alone explain:`,
          '  only the trace itself keeps that',
        ]
      : []),
  ]
}

function reuseSection(reuse: ReuseProfile): string[] {
  const { blocks, distinctBlocks, meanTokensPerBlock, unlimitedHitShare, cacheSizes, distance, sampledOneIn } = reuse
  const about = sampledOneIn === 1 ? '' : 'about '
  const rows = cacheSizes.map(({ blocks: size, hitShare }) => [
    showNumber(size),
    showNumber(Math.round(size * meanTokensPerBlock)),
    percent(hitShare),
  ])
  return [
    'Reuse of prompt blocks (least recently used evicted first)',
    `  ${showNumber(blocks)} blocks, ${about}${showNumber(distinctBlocks)} of them distinct`,
    `  ${significant(meanTokensPerBlock)} tokens a block on average`,
    `  a cache without end would hit ${about}${percent(unlimitedHitShare)} %`,
    ...(distance === null
      ? []
      : [
          `  reuse distance in blocks: p50 ${showNumber(distance.p50)}, p90 ${showNumber(distance.p90)}, p99 ${showNumber(distance.p99)}`,
        ]),
    ...(rows.length === 0 ? [] : aligned([['cache (blocks)', '(tokens)', 'hits %'], ...rows])),
    ...(sampledOneIn === 1 ? [] : [`  estimated from one block in ${showNumber(sampledOneIn)}, chosen by a hash`]),
  ]
}

function sessionSection({ requests, sessions, turns, gapSeconds, sampledOneIn }: SessionProfile): string[] {
  const about = sampledOneIn === 1 ? '' : 'about '
  return [
    'Sessions',
    `  ${showNumber(requests)} requests in ${about}${showNumber(sessions)} sessions`,
    `  turns: mean ${significant(turns.mean)}, p50 ${turns.p50}, p90 ${turns.p90}, p99 ${turns.p99}, max ${showNumber(turns.max)}`,
    ...(gapSeconds === null
      ? []
      : [
          `  one arrival to the next: p50 ${duration(gapSeconds.p50)}, p90 ${duration(gapSeconds.p90)}, p99 ${duration(gapSeconds.p99)}`,
        ]),
  ]
}

function classSection({ classes, classesFrom }: TraceProfile): string[] {
  const range = ({ from, to }: ClassProfile['inputTokens']) => `${showNumber(from)}–${showNumber(to)}`
  const rows = classes.map(({ name, share, inputTokens, outputTokens }) => [
    cut(name),
    percent(share),
    showNumber(inputTokens.mean),
    range(inputTokens),
    showNumber(outputTokens.mean),
    range(outputTokens),
  ])
  return [
    classesFrom === 'trace' ? 'Classes, as the trace names them' : 'Suggested classes, cut where the lengths vary most',
    ...aligned([['class', '%', 'input', 'from–to', 'output', 'from–to'], ...rows]),
  ]
}

/** The first column to the left, the others to the right, two spaces between. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    return `  ${cells.join('  ').trimEnd()}`
  })
}

/** A share in percent with one decimal, nothing apart from little. */
function percent(share: number): string {
  return share > 0 && share < 0.0005 ? '<0.1' : (share * 100).toFixed(1)
}

/** A table of shares is read by what is in it: where nothing is, a dot. */
function tablePercent(share: number): string {
  return share === 0 ? '·' : percent(share)
}

function cut(name: string): string {
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name
}

/** Three significant digits, grouped. */
function significant(value: number): string {
  return value >= 1000 ? showNumber(Math.round(value)) : String(Number(value.toPrecision(3)))
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(2)
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`
}

function duration(seconds: number): string {
  if (seconds < 120) return `${significant(seconds)} s`
  if (seconds < 7200) return `${significant(seconds / 60)} min`
  return seconds < 172_800 ? `${significant(seconds / 3600)} h` : `${significant(seconds / 86_400)} d`
}
