import { beforeAll, describe, expect, it, test } from 'vitest'
import { readReportData } from '../../../../src/core/report/page/data.ts'
import type { PageInput } from '../../../../src/core/report/page/facts.ts'
import { renderReportPage } from '../../../../src/core/report/page/page.ts'
import { GateError } from '../../../../src/core/kernel/errors.ts'
import { CASES } from '../report-fixture.ts'
import { capacityJson, commonPage, hostilePage, largestPage, pageInput, pageOf } from './page-fixture.ts'

const bytes = (text: string) => new TextEncoder().encode(text).length
/** What is shown: without the data block. */
const shown = (html: string) => html.slice(0, html.indexOf('<script'))

describe('the page', () => {
  let input: PageInput
  let html: string
  beforeAll(() => {
    input = commonPage()
    html = pageOf(input)
  })

  it('loads nothing, runs nothing and sends nothing', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'$/,
    )
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toMatch(/<link|<img|<iframe|@import|url\(|\son\w+=|\sstyle=|\ssrc=/i)
  })

  it('says first what the verdict is, what is carried, what limits it and what to do', () => {
    const head = shown(html).slice(0, shown(html).indexOf('<nav'))
    expect(head).toContain('Capacity regressed: action needed')
    const lines = [...head.matchAll(/<tr><th>([^<]*)<td>([^<]*)<td>([^\n]*)/g)].map(([, ...cells]) => cells)
    expect(lines.slice(1, 6)).toEqual([
      ['capacity, RPS', '24.0 → ≥ 23.04', '30.0 → 27.0'],
      ['change, %', '–', '−10.0'],
      ['guard rate, RPS', '23.04', '28.8'],
      ['a replica, RPS', '6.0 → 5.76', '7.5 → 6.75'],
      ['a GPU, RPS', '3.0 → 2.88', '3.75 → 3.375'],
    ])
    expect(head).toContain('<code>long_context</code>, TTFT')
    expect(head).toContain('Look at the limiting class at the guard rate')
    expect(head).toMatch(/<pre tabindex="0">REGRESSED: vllm 0\.32\.0[^<]*\n {2}cache {2}outcome {2,}baseline/)
  })

  it('has a section for each thing that it is to show, and a link to it', () => {
    const ids = [...html.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)
    const states = ['cold', 'warm']
    const ofState = states.flatMap((cache) => [`curves-${cache}`, `latency-${cache}`])
    const rest = ['evidence', 'identity', 'method']
    expect(ids).toEqual(['why', ...ofState, ...states.map((cache) => `points-${cache}`), ...rest])
    for (const id of ids) expect(html).toContain(`<a href="#${id}">`)
  })

  it('says why it fell, or that nothing stands out, in the comment’s words', () => {
    const why = /<section id="why"[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
    const fell = why.slice(why.indexOf('<h4>Why it fell</h4>'))
    expect(fell).toContain('requests 1.2 are lost at 28.8 RPS')
    expect(fell).toContain('Nothing that is known stands out')
    expect(fell).toContain('Nothing else that is known changed. Not known of both: tokens a chunk')
  })

  it('is sent on: it has no path of the machine that it was made on', () => {
    const context = { ...input.context, packPath: '/home/ann/packs/night' }
    const sent = renderReportPage({ ...input, context })
    expect(sent).not.toContain('/home/ann')
    expect(sent).toContain('capacity-gate explain PACK')
  })

  it('draws five curves of each class and state, the baseline under this run, with words for who does not see them', () => {
    const curves = /<section id="curves-warm"[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
    const pictures = curves.match(/<svg role="img" aria-label="[^"]{40,}"/g) ?? []
    expect(pictures).toHaveLength(2 + 3 * 3)
    expect(curves.match(/class="c now"/g)).toHaveLength(pictures.length)
    expect(curves.match(/class="c base"/g)).toHaveLength(pictures.length)
    expect(curves).toContain('class="p fail now"')
    expect(curves.match(/class="i now"/g)).toHaveLength(3)
    expect(curves).toContain('Limit 95.')
  })

  it('draws the time of every point, and its latencies with the cutoffs', () => {
    const points = input.record.capacity.flatMap((result) => result.points)
    expect(html.match(/class="warmup"/g)).toHaveLength(points.length)
    expect(html.match(/class="drain"/g)).toHaveLength(points.length)
    const latency = /<section id="latency-warm"[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
    expect(latency.match(/class="c now"/g)).toHaveLength(3 * 2)
    expect(latency.match(/class="c now second"/g)).toHaveLength(3 * 2)
    expect(latency.match(/class="limit"/g)).toHaveLength(3 * 2)
  })

  it('has the client’s own error beside every latency', () => {
    // 312 µs; of TPOT over the 127 tokens after the first.
    expect(html).toContain('420 ± 0.31')
    expect(html).toMatch(/\d ± 0\.0025/)
    expect(html.match(/>P95 TTFT ms ± 0\.31<\/text>/g)).toHaveLength(2 * 3)
    expect(html.match(/>TTFT ms ± 0\.31<\/text>/g)).toHaveLength(2 * 3)
    expect(html.match(/<td[^>]*>P95 TPOT ms ± 0\.0025</g)).toHaveLength(2 * 3)
    const unknown = renderReportPage({ ...input, calibration: null })
    expect(unknown).toContain('420 ± ?')
    expect(unknown).toContain('own error is not known')
  })

  it('says of a point that cannot be drawn why', () => {
    const why = renderReportPage({ ...input, pictures: new Map([['warm-open-28800-r1', { why: 'it was <cut>' }]]) })
    expect(why).toContain('Its time cannot be drawn: it was &lt;cut&gt;')
    expect(why).toContain('Its raw files were not read.')
  })

  it('is the same for the same pack', () => {
    expect(pageOf(commonPage())).toBe(html)
  })
})

test.each(Object.keys(CASES).filter((name) => !name.startsWith('huge')))(
  '%s: reads back to the same capacity.json',
  (name) => {
    const input = commonPage(name)
    const html = pageOf(input)
    expect(readReportData(html)).toBe(capacityJson(input))
    expect(shown(html)).not.toMatch(/NaN|Infinity|undefined|\[object/)
  },
)

test('a data block that was changed is refused', () => {
  const html = pageOf(commonPage('held'))
  const refused = (text: string) => {
    try {
      readReportData(text)
    } catch (error) {
      return error instanceof GateError ? error.code : error
    }
    return null
  }
  expect(refused(html.replace(/"sha256":"[0-9a-f]{8}/, '"sha256":"00000000'))).toBe('report_damaged')
  expect(refused(html.replace(/"content":"[^"]{40}/, '"content":"'))).toBe('report_damaged')
  expect(refused('<html></html>')).toBe('report_damaged')
})

test('hostile names are text wherever they stand', () => {
  const input = hostilePage()
  const html = pageOf(input)
  expect(html.match(/<script/gi)).toHaveLength(1)
  expect(html.match(/<\/script/gi)).toHaveLength(1)
  expect(html).not.toMatch(/<!--|<img|\sonerror="|<\/details><\/table><script/i)
  const tags = new Set([...shown(html).matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag?.toLowerCase()))
  const own =
    'a body br code details div h1 h2 h3 h4 head html li main meta nav ol p path pre rect section span strong style summary svg table tbody td text th thead title tr ul'
  expect([...tags].filter((tag) => !own.split(' ').includes(tag ?? ''))).toEqual([])
  expect(html).not.toContain('href="https://evil')
  expect(shown(html)).not.toMatch(/\u{202e}|\u{200f}/u)
  expect(readReportData(html)).toBe(capacityJson(input))
})

/** A browser's time follows them: a third of this were cells, and took a second. */
const ELEMENTS_MAX = 25_000

test(
  'forty classes at two hundred points stay small, with every class at every point, and read back',
  { timeout: 120_000 },
  () => {
    const input = largestPage()
    const html = pageOf(input)
    expect(bytes(html)).toBeLessThan(5_000_000)
    expect(html.match(/<[a-z]/g)?.length).toBeLessThan(ELEMENTS_MAX)
    const tables = [
      ...html.matchAll(/<pre class="lines" tabindex="0" role="region" aria-label="[^"]*">([^<]*)<\/pre>/g),
    ]
    expect(tables).toHaveLength(200)
    const [heads, rows] = [tables[0]?.[1]?.split('\n').slice(0, 5), tables[0]?.[1]?.split('\n').slice(5)]
    const own = input.record.capacity[0]?.points[0]?.slo.classes['class_0']
    expect(heads?.at(-1)?.endsWith('class')).toBe(true)
    expect(rows?.map((row) => /class_\d+$/.exec(row)?.[0])).toEqual(
      Array.from({ length: 40 }, (_, at) => `class_${at}`),
    )
    expect(rows?.[0]).toContain(`${own?.passing_count}/${own?.successful_count}`)
    expect(new Set(rows?.map((row) => row.indexOf('class_'))).size).toBe(1)
    expect(readReportData(html)).toBe(capacityJson(input))
  },
)

test('a page without a baseline, and one without points, stand', () => {
  const held = commonPage('held')
  expect(pageOf({ ...held, baseline: null })).toContain('There is no baseline to compare with.')
  const capacity = held.record.capacity.map((result) => ({ ...result, points: [] }))
  const html = pageOf(pageInput({ ...held, record: { ...held.record, capacity } }))
  expect(html).toContain('No point was measured.')
  expect(shown(html)).not.toMatch(/NaN|Infinity|undefined/)
})
