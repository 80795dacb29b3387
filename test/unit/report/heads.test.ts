import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commentText, renderComment } from '../../../src/core/report/comment.ts'
import type { ReportInput } from '../../../src/core/report/context.ts'
import { HEADS_MAX, parseHeads } from '../../../src/core/report/heads.ts'
import { heldCandidate } from '../gate/record-fixture.ts'
import { hostileString, wrongIn } from './markdown-oracle.ts'
import { CASES, input } from './report-fixture.ts'

const commit = (index: number) => index.toString(16).padStart(40, 'a')

/** The same report at another head, measured so many minutes later. */
function atHead(index: number, made: ReportInput = input(heldCandidate())): ReportInput {
  const createdAt = new Date(Date.UTC(2026, 10, 20, 8, index)).toISOString()
  const record = { ...made.record, createdAt }
  const verdict = { ...made.verdict, candidateSha256: index.toString(16).padStart(64, '0') }
  return { ...made, record, verdict, context: { ...made.context, headSha: commit(index) } }
}

const regressed = () => CASES['regressed-warm']?.() ?? input(heldCandidate())

describe('the history of a pull request', () => {
  test('keeps the earlier head as a folded row, with its verdict, capacities, run and time', () => {
    const first = renderComment(atHead(1, regressed()))
    expect(first).not.toContain('earlier head')
    const second = renderComment(atHead(2), [first])
    expect(second).toContain('<summary>1 earlier head of this pull request</summary>')
    const url = 'https://github.com/acme/inference'
    expect(second).toContain(
      `| [\`aaaaaaaaaa\`](${url}/commit/${commit(1)}) | regressed | 24.0 → ≥ 23.04 | 30.0 → 27.0 | [2026-11-20 08:01](${url}/actions/runs/1234567890) |`,
    )
    expect(wrongIn(second)).toEqual([])
  })

  test('a head that is measured again replaces its own row, and never its neighbour’s', () => {
    const first = renderComment(atHead(1))
    const second = renderComment(atHead(2), [first])
    const again = renderComment(atHead(2, regressed()), [second])
    expect(parseHeads([again]).map(({ head, outcome }) => [head, outcome])).toEqual([
      [commit(2), 'regressed'],
      [commit(1), 'held'],
    ])
  })

  test('takes up what two comments told, each head once, the latest first', () => {
    const base = renderComment(atHead(1))
    const [two, three] = [renderComment(atHead(2), [base]), renderComment(atHead(3), [base])]
    expect(parseHeads([renderComment(atHead(4), [two, three])]).map(({ head }) => head)).toEqual(
      [4, 3, 2, 1].map(commit),
    )
  })

  test('is capped, whatever stood there', () => {
    let body = ''
    for (let index = 0; index < HEADS_MAX + 15; index += 1) body = renderComment(atHead(index), [body])
    const heads = parseHeads([body]).map(({ head }) => head)
    expect(heads).toHaveLength(HEADS_MAX)
    expect(heads.slice(0, 2)).toEqual([commit(HEADS_MAX + 14), commit(HEADS_MAX + 13)])
    expect(body.length).toBeLessThan(65_000)
  })

  test('a report without a head of its own keeps the others', () => {
    const first = renderComment(atHead(1))
    const { record, ...rest } = atHead(2)
    const { headSha: _, ...context } = rest.context
    const headless = renderComment({ ...rest, record: { ...record, commit: null }, context }, [first])
    expect(parseHeads([headless]).map(({ head }) => head)).toEqual([commit(1)])
  })
})

describe('what a comment claims of earlier heads', () => {
  const honest = renderComment(atHead(1))
  const line = honest.split('\n').find((item) => item.startsWith('<!-- capacity-gate-heads')) ?? ''

  test.each([
    ['another field', line.replace('"outcome"', '"note":"x","outcome"')],
    ['a head that is none', line.replace(commit(1), 'javascript:alert(1)')],
    ['an outcome of its own', line.replace('"held"', '"[held](https://evil.example)"')],
    ['a run that is an address', line.replace('"1234567890"', '"../../evil"')],
    ['a time that is text', line.replace(/"at":"[^"]*"/, '"at":"<img src=x>"')],
    ['a rate that is no number', line.replace('24000', '"24000"')],
    ['a rate beyond reason', line.replace('24000', '1e300')],
    ['no JSON', line.replace('"held"', 'held')],
    [
      'too many rows',
      line.replace(
        /\[(.*)\]/,
        (_, row: string) =>
          `[${Array(HEADS_MAX + 1)
            .fill(row)
            .join(',')}]`,
      ),
    ],
    ['two such lines', `${line}\n${line}`],
    ['a quotation', `> ${line}`],
    ['a line that goes on', `${line} and more`],
    ['half a line', line.slice(0, -10)],
  ])('is not believed: %s', (_, told) => {
    expect(line).not.toBe('')
    const after = renderComment(atHead(2), [honest.replace(line, () => told)])
    expect(parseHeads([after]).map(({ head }) => head)).toEqual([commit(2)])
    expect(wrongIn(after)).toEqual([])
  })

  test('is read with the line ends that GitHub stores', () => {
    expect(parseHeads([honest.replaceAll('\n', '\r\n')])).toHaveLength(1)
  })

  test('property: no body whatever breaks the next comment', () => {
    fc.assert(
      fc.property(fc.array(hostileString(), { maxLength: 3 }), hostileString(), (bodies, inside) => {
        const bent = line.replace('held', () => inside)
        const next = renderComment(atHead(2), [...bodies, bent, `${honest}\n${bent}`])
        expect(wrongIn(next)).toEqual([])
        expect(next.match(/<!--/g)).toHaveLength(2)
      }),
      { numRuns: 100 },
    )
  })
})

test('a comment knows its own result, and a later one of the same head, and no other', () => {
  const text = commentText(atHead(2))
  expect(text.isIn(text.body([]))).toBe(true)
  expect(text.isIn(renderComment(atHead(3), [text.body([])]))).toBe(true)
  expect(text.isIn(renderComment(atHead(1)))).toBe(false)
  expect(text.isIn(renderComment(atHead(3)))).toBe(false)
  const later = atHead(5)
  expect(text.isIn(renderComment({ ...later, context: { ...later.context, headSha: commit(2) } }))).toBe(true)
  expect(text.isIn(text.body([]).replace(text.marker, '> quoted'))).toBe(false)
})
