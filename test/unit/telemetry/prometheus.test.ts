import { isDeepStrictEqual } from 'node:util'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metricNames } from '../../../src/core/dialect/metric-names.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { parsePrometheus, parseSeriesKey, seriesValues } from '../../../src/core/telemetry/prometheus.ts'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/metrics/${name}.txt`, import.meta.url), 'utf8')

const one = (text: string) => {
  const samples = parsePrometheus(text)
  expect(samples).toHaveLength(1)
  return samples[0]
}

describe('the text format', () => {
  test.each([
    ['up 1', 'up', {}, 1],
    ['up -1.5E+3', 'up', {}, -1500],
    ['up{a="",b="}"} 1.7959748756013489e+09', 'up', { a: '', b: '}' }, 1795974875.6013489],
    ['  up\t1.5e3  ', 'up', {}, 1500],
    ['up 1 1395066363000', 'up', {}, 1],
    ['up 1 1395066363.25', 'up', {}, 1],
    ['up{} 3', 'up', {}, 3],
    ['up{a="b",c="d",} 3', 'up', { a: 'b', c: 'd' }, 3],
    ['up { a = "b" , c="d" } 3', 'up', { a: 'b', c: 'd' }, 3],
    ['up{path="C:\\\\D\\n\\"x\\""} 3', 'up', { path: 'C:\\D\n"x"' }, 3],
    ['up{a="}, {"} 3', 'up', { a: '}, {' }, 3],
    ['up{a="b"}3', 'up', { a: 'b' }, 3],
    ['up +Inf', 'up', {}, Infinity],
    ['up -inf', 'up', {}, -Infinity],
    ['up NaN', 'up', {}, NaN],
    ['up .5', 'up', {}, 0.5],
    ['x_bucket{le="0.1"} 8 # {trace_id="KOO5S4vxi0o"} 0.067', 'x_bucket', { le: '0.1' }, 8],
    ['x_total 17 1520879607.789 # {trace_id="a b"} 1 1520879607.7', 'x_total', {}, 17],
    ['{"my.metric",a="b"} 2', 'my.metric', { a: 'b' }, 2],
    ['{a="b","my.metric","odd label"="c"} 2', 'my.metric', { a: 'b', 'odd label': 'c' }, 2],
    ['__proto__{__proto__="x"} 2', '__proto__', Object.fromEntries([['__proto__', 'x']]), 2],
  ])('%j', (text, name, labels, value) => {
    expect(one(`${text}\n`)).toMatchObject({ name, labels, value })
  })

  test.each([
    'up',
    'up 1 2 3',
    'up x',
    'up 0x10',
    'up{a} 1',
    'up{a="b" 1',
    'up{a=b} 1',
    'up{"a","b"} 1',
    '{a="b"} 1',
    '1up 1',
    'up{a="b"c="d"} 1',
    'up{,} 1',
    'up{a="b",,c="d"} 1',
  ])('skips %j and reads on', (text) => {
    expect(parsePrometheus(`${text}\nnext 2\n`).map(({ name }) => name)).toEqual(['next'])
  })

  test('reads over comments, HELP, TYPE, UNIT, EOF, CRLF and blank lines', () => {
    const text = '# HELP up it is up\r\n# TYPE up gauge\r\n\r\n#\r\n# odd\r\nup 1\r\n# UNIT a seconds\r\n# EOF\r\n'
    expect(parsePrometheus(text)).toEqual([{ key: 'up', name: 'up', labels: {}, value: 1 }])
    expect(parsePrometheus('')).toEqual([])
    expect(parsePrometheus('# HELP a b\n')).toEqual([])
  })

  test('of a series that comes twice the first stands', () => {
    expect(seriesValues(parsePrometheus('up{a="b"} 1\nup{a="b"} 2\n'))).toEqual({ 'up{a="b"}': 1 })
  })

  test.each(['<html><body>502</body></html>', '{"detail":"Not Found"}', '[{"iteration": 1}]'])('refuses %j', (text) => {
    expect(() => parsePrometheus(text)).toThrowError(expect.objectContaining({ code: 'metrics_unreadable' }))
  })
})

describe('reading some names only', () => {
  const wanted = new Set(['up', 'a:b_total'])
  const same = (text: string) => {
    let whole: ReturnType<typeof parsePrometheus>
    try {
      whole = parsePrometheus(text)
    } catch {
      return true
    }
    const all = whole.filter((sample) => wanted.has(sample.name))
    return isDeepStrictEqual(seriesValues(parsePrometheus(text, wanted)), seriesValues(all))
  }

  test('gives what reading all and leaving out the others gives', () => {
    const piece = fc.constantFrom(
      'up',
      'up_total',
      'a:b_total',
      '{"up"}',
      '{"up",x="1"}',
      '{x="up"}',
      '{',
      '}',
      ' ',
      '\t',
      '1',
      '-2.5e3',
      'NaN',
      '# HELP up',
      '\r',
      'up{x="}\\" 3"}',
      '"',
      ',',
      'x=',
    )
    const line = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''))
    const outcome = fc.check(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => same(lines.join('\n'))),
      { numRuns: 3000, examples: [[['upup {x="up"}NaN', 'up']]] },
    )
    expect(outcome.counterexample).toBeNull()
  })

  test.each(['vllm-idle', 'vllm-kv-full', 'vllm-refusing', 'llm-d-sim'])('of %s keeps a handful', (name) => {
    const names = metricNames(VLLM)
    const some = parsePrometheus(fixture(name), names)
    expect(some.map(({ key }) => key)).toEqual(
      parsePrometheus(fixture(name))
        .filter((sample) => names.has(sample.name))
        .map(({ key }) => key),
    )
    expect(some.length).toBeGreaterThan(2)
    expect(some.length).toBeLessThan(25)
  })
})

describe('values of a telemetry line', () => {
  test('leaves out buckets, creation times and what JSON cannot hold', () => {
    const text = 'a_bucket{le="1"} 1\na_created 5\na_sum 2\na_count 1\nb NaN\nc +Inf\n__proto__ 4\n'
    const values = seriesValues(parsePrometheus(text))
    expect(Object.keys(values)).toEqual(['a_sum', 'a_count', '__proto__'])
    expect(JSON.parse(JSON.stringify(values))).toEqual(values)
  })

  test.each([
    ['vllm-idle', 'vllm:prompt_tokens_total{engine="0",model_name="tiny"}', 3072],
    ['vllm-kv-full', 'vllm:kv_cache_usage_perc{engine="0",model_name="tiny"}', 1],
    ['vllm-refusing', 'vllm:admission_rejections_total{model_name="tiny",reason="max_num_queued_reqs"}', 11],
    ['llama-server', 'llamacpp:requests_processing', 4],
    ['llm-d-sim', 'vllm:num_requests_running{model_name="tiny-sim"}', 10],
  ])('reads what %s sent', (name, key, value) => {
    const text = fixture(name)
    const samples = parsePrometheus(text)
    expect(samples).toHaveLength(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length)
    const values = seriesValues(samples)
    expect(values[key]).toBe(value)
    expect(Object.keys(values).filter((series) => /_bucket|_created/.test(series))).toEqual([])
  })
})

const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,12}$/)
const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,12}$/)
const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
const written = (value: number) => (Number.isNaN(value) ? 'NaN' : String(value).replace('Infinity', 'Inf'))

describe('properties', () => {
  test('what is written is read back, and its key too', () => {
    const series = fc.record({
      name,
      labels: fc.uniqueArray(fc.tuple(label, fc.string({ unit: 'binary', maxLength: 12 })), {
        selector: ([key]) => key,
      }),
      value: fc.double(),
      timestamp: fc.option(fc.integer({ min: 0 }), { nil: null }),
    })
    fc.assert(
      fc.property(series, (given) => {
        const inner = given.labels.map(([key, value]) => `${key}="${escape(value)}"`).join(',')
        const key = given.labels.length > 0 ? `${given.name}{${inner}}` : given.name
        const sample = one(`${key} ${written(given.value)}${given.timestamp === null ? '' : ` ${given.timestamp}`}\n`)
        expect(sample).toEqual({
          key,
          name: given.name,
          labels: Object.fromEntries(given.labels),
          value: given.value + 0,
        })
        expect(parseSeriesKey(key)).toEqual({ name: given.name, labels: Object.fromEntries(given.labels) })
      }),
    )
  })

  test('no text makes it fail otherwise than by its own error', () => {
    const outcome = (text: string) => {
      try {
        return parsePrometheus(text).every(
          ({ key, value }) => parseSeriesKey(key) !== null && typeof value === 'number',
        )
      } catch (error) {
        return (error as { code?: string }).code === 'metrics_unreadable'
      }
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(outcome(text)).toBe(true)
      }),
    )
  })
})
