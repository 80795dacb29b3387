import { GateError } from '../kernel/errors.ts'

/** One sample of a scrape. `key` is the series as scraped (`name` or `name{a="b",…}`). */
export interface Sample {
  key: string
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

interface Series {
  name: string
  labels: Readonly<Record<string, string>>
  /** Index of the first character after the series. */
  end: number
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:.]*/y
const QUOTED = /"((?:[^"\\\n]|\\.)*)"/y
const BLANKS = /[ \t]*/y
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const ENDS_IN_NUMBER = /[ \t][+-]?(?:[\d.][\d.eE+-]*|nan|inf)$/i
const INFINITE = /^([+-]?)inf(?:inity)?$/i
/** The usual line whole: no escape, no blank inside, no timestamp. Anything else is read step by step. */
const PLAIN =
  /^(([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{[a-zA-Z_][a-zA-Z0-9_]*="[^"\\]*"(?:,[a-zA-Z_][a-zA-Z0-9_]*="[^"\\]*")*,?\})?) ([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
/** Value, an optional timestamp, and an optional exemplar, after the series. */
const AFTER_SERIES = /^[ \t]*(\S+)(?:[ \t]+([+-]?[\d.eE+-]+))?[ \t]*(?:# \{.*)?$/

/**
 * Reads the Prometheus text format 0.0.4, its successor 1.0.0 (quoted names) and OpenMetrics 1.0. Comments, HELP, TYPE, UNIT and EOF
 * lines are skipped, timestamps and exemplars read over, escapes resolved. A line that is none of these is skipped too: one odd
 * exporter line must not cost the scrape. Of a series that comes twice the first stands, as in Prometheus. With `names` only their
 * series are read; the others cost a look at their name.
 *
 * @throws GateError `metrics_unreadable` where there is text and no line of it is a sample or a comment (HTML, JSON).
 */
export function parsePrometheus(text: string, names?: ReadonlySet<string>): Sample[] {
  const samples = new Map<string, Sample>()
  let comments = 0
  let others = 0
  let unread = 0
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line === '') continue
    if (line.startsWith('#')) {
      comments += 1
      continue
    }
    if (names && isOther(line, names)) {
      others += 1
      continue
    }
    const sample = readSample(line)
    if (!sample) unread += 1
    else if (names && !names.has(sample.name)) others += 1
    else if (!samples.has(sample.key)) samples.set(sample.key, sample)
  }
  if (unread > 0 && samples.size === 0 && comments === 0 && others === 0) {
    throw new GateError({
      code: 'metrics_unreadable',
      message: `the metrics answer is not Prometheus text: none of its ${unread} lines is a sample`,
      hint: 'check the path of the metrics endpoint in the engine’s dialect',
    })
  }
  return [...samples.values()]
}

/**
 * The `values` of a telemetry `engine` line: series as scraped → value. Histogram buckets and creation times are left out, and so are
 * NaN and infinities, which JSON cannot hold: such a series is absent, never zero.
 */
export function seriesValues(samples: readonly Sample[]): Record<string, number> {
  return Object.fromEntries(
    samples
      .filter(({ name, value }) => !name.endsWith('_bucket') && !name.endsWith('_created') && Number.isFinite(value))
      .map(({ key, value }) => [key, value]),
  )
}

/** Name and labels of a series key; null where it is none. */
export function parseSeriesKey(key: string): Pick<Series, 'name' | 'labels'> | null {
  const series = readSeries(key)
  return series && series.end === key.length ? { name: series.name, labels: series.labels } : null
}

/** Whether the line is plainly a sample of a name that is not asked for. A quoted name is read step by step like any other. */
function isOther(line: string, names: ReadonlySet<string>): boolean {
  const name = matchAt(NAME, line, 0)?.[0]
  if (name === undefined || names.has(name)) return false
  return line[name.length] === '{' || ENDS_IN_NUMBER.test(line)
}

function readSample(line: string): Sample | null {
  const plain = PLAIN.exec(line)
  if (plain) return sampleOf(plain[1] ?? '', plain[2] ?? '', Number(plain[3]))
  const series = readSeries(line)
  if (!series) return null
  const rest = line.slice(series.end)
  // Without labels a blank must separate name and value.
  if (line[series.end - 1] !== '}' && !/^[ \t]/.test(rest)) return null
  const after = AFTER_SERIES.exec(rest)
  if (!after?.[1]) return null
  const value = readNumber(after[1])
  if (value === null || (after[2] !== undefined && !NUMBER.test(after[2]))) return null
  return sampleOf(line.slice(0, series.end), series.name, value)
}

/** Labels are read when they are asked for: of the hundreds of series of a scrape hardly one is. */
function sampleOf(key: string, name: string, value: number): Sample {
  return {
    key,
    name,
    value,
    get labels() {
      return readSeries(key)?.labels ?? {}
    },
  }
}

function readNumber(text: string): number | null {
  if (NUMBER.test(text)) return Number(text)
  if (/^[+-]?nan$/i.test(text)) return Number.NaN
  const infinite = INFINITE.exec(text)
  return infinite ? (infinite[1] === '-' ? -Infinity : Infinity) : null
}

/** Reads at the start of the line; the labels' order and text are kept in the key by the caller. */
function readSeries(line: string): Series | null {
  const bare = matchAt(NAME, line, 0)
  let name = bare?.[0] ?? null
  let at = name?.length ?? 0
  if (line[at] !== '{') {
    const gap = matchAt(BLANKS, line, at)?.[0].length ?? 0
    if (name === null) return null
    if (line[at + gap] !== '{') return { name, labels: {}, end: at }
    at += gap
  }
  at += 1
  const labels = new Map<string, string>()
  for (;;) {
    at += matchAt(BLANKS, line, at)?.[0].length ?? 0
    if (line[at] === '}') return name === null ? null : { name, labels: Object.fromEntries(labels), end: at + 1 }
    const item = readItem(line, at)
    if (!item) return null
    // A quoted string alone is the metric's own name (format 1.0.0).
    if (item.value === null) {
      if (name !== null) return null
      name = item.label
    } else labels.set(item.label, item.value)
    at = item.end + (matchAt(BLANKS, line, item.end)?.[0].length ?? 0)
    if (line[at] === ',') at += 1
    else if (line[at] !== '}') return null
  }
}

/** `label="value"`, `"label"="value"`, or a lone `"name"` (value null). */
function readItem(line: string, from: number): { label: string; value: string | null; end: number } | null {
  const quoted = matchAt(QUOTED, line, from)
  const bare = quoted ?? matchAt(NAME, line, from)
  if (!bare) return null
  const label = quoted ? unescape(quoted[1] ?? '') : bare[0]
  let at = from + bare[0].length
  at += matchAt(BLANKS, line, at)?.[0].length ?? 0
  if (line[at] !== '=') return quoted ? { label, value: null, end: from + quoted[0].length } : null
  at += 1
  at += matchAt(BLANKS, line, at)?.[0].length ?? 0
  const value = matchAt(QUOTED, line, at)
  return value ? { label, value: unescape(value[1] ?? ''), end: at + value[0].length } : null
}

/** `\\`, `\"` and `\n`; any other escape stands as it is. */
function unescape(text: string): string {
  return text.replace(/\\([\\"n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
