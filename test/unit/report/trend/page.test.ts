import { describe, expect, it, test } from 'vitest'
import type { HistoryPoint } from '../../../../src/core/history/point.ts'
import { historyPointSchema } from '../../../../src/core/history/point-schema.ts'
import { trendsOf } from '../../../../src/core/history/trend.ts'
import { renderTrendPage } from '../../../../src/core/report/trend/page.ts'
import { historyPoint, night, nights, wavering } from '../../history/point-fixture.ts'
import { golden } from './golden-file.ts'

const page = (points: readonly HistoryPoint[], faults: Parameters<typeof renderTrendPage>[0]['faults'] = []) =>
  renderTrendPage({ trends: trendsOf(points), faults, toolVersion: '0.1.0' })

/** What the page's data block holds, read as a browser does: up to the first end tag. */
function dataOf(html: string) {
  const [, block = ''] = /<script type="application\/json" id="history">([\s\S]*?)<\/script/i.exec(html) ?? []
  return JSON.parse(block) as { schema: number; series: { key: string; points: HistoryPoint[]; drift: object }[] }
}

const fallen = nights([...wavering(20), ...wavering(8, 22_000), null, ...wavering(3, 22_000)])
const mixed = [
  ...fallen,
  ...nights(wavering(9), { cache: 'warm' }),
  historyPoint({ cache: 'warm', at: night(10), outcome: 'regressed', capacityMilliRps: null, failMilliRps: 20_000 }),
  historyPoint({ cache: 'warm', at: night(11), plan: 'confirm' }),
  historyPoint({ cache: 'warm', at: night(12), merged: { points: 3, notCounted: 1, runs: ['1'.repeat(64)] } }),
]

test('the page of two states', () => {
  const html = page(mixed, [{ line: 7, code: 'torn' }])
  expect(html).toBe(golden('trend.html', html))
})

describe('the page', () => {
  const html = page(mixed)

  it('loads nothing, runs nothing and sends nothing', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'$/,
    )
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toMatch(/<link|<img|<iframe|@import|url\(|\son\w+=|\sstyle=|\ssrc=/i)
  })

  it('allows its own style, to the byte', async () => {
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? []
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    expect(html).toContain(`'sha256-${Buffer.from(hash).toString('base64')}'`)
  })

  it('holds every point as data that reads back', () => {
    const { schema, series } = dataOf(html)
    expect(schema).toBe(1)
    const points = series.flatMap((one) => one.points)
    expect(points).toHaveLength(mixed.length)
    expect(points.every((point) => historyPointSchema.safeParse(point).success)).toBe(true)
    expect(trendsOf(points).map(({ key, drift }) => ({ key, drift }))).toEqual(
      series.map(({ key, drift }) => ({ key, drift })),
    )
  })

  it('says in words and in tables what the pictures show', () => {
    expect(html.match(/<svg role="img" aria-label="Capacity of [^"]+"/g)).toHaveLength(2)
    const rows = html.match(/<tr><td class="when">/g) ?? []
    expect(rows).toHaveLength(mixed.length + 1)
    expect(html).toContain('▼ Drifting')
    expect(html).toContain('≥ 24.0 (not counted)')
    expect(html).toContain('&lt; 20.0')
    expect(html).toContain('held (the median of 3 runs, 1 did not count)')
    expect(html).toContain('invalid: client_send_lag')
  })

  it('stands where there is nothing, one point, or equal ones', () => {
    expect(page([])).toContain('No points yet.')
    for (const points of [nights([24_000]), nights([null]), nights([24_000, 24_000]), nights([1, 2])])
      expect(page(points)).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('escapes hostile names everywhere, also inside the data', () => {
    const bad = '</script><script>alert(1)</script><!--<script>"\'&<svg onload=alert(1)>\u{2028}]]>'
    const points = fallen.map((point) => ({
      ...point,
      series: bad,
      machine: bad,
      reason: bad.slice(0, 90),
      subject: { ...point.subject, name: bad, version: bad, image: bad },
      limiting: { class: bad, metric: 'ttft' as const },
      runUrl: 'javascript:alert(1)//https://x',
      toolVersion: bad.slice(0, 90),
    }))
    const hostile = page(points)
    expect(hostile.match(/<\/?script/gi)).toEqual(['<script', '</script'])
    expect(hostile).not.toMatch(/<!--|<svg onload|href="javascript/)
    expect(dataOf(hostile).series[0]?.points).toEqual(points)
  })

  it('stays small and says what it leaves out, with ten years of nights and many series', () => {
    const years = nights(wavering(3650))
    const series = Array.from({ length: 50 }, (_, index) => historyPoint({ series: `series ${index}` }))
    const large = page([...years, ...series])
    expect(large).toContain('3150 older points not shown')
    expect(large).toContain('11 older series')
    expect(large.length).toBeLessThan(5_000_000)
  })
})
