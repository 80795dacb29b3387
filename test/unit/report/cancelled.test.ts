import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cancelledComment, renderCancelled } from '../../../src/core/report/cancelled.ts'
import type { CancelledRun } from '../../../src/core/report/cancelled.ts'
import { commentText, renderComment } from '../../../src/core/report/comment.ts'
import { parseHeads } from '../../../src/core/report/heads.ts'
import { heldCandidate } from '../gate/record-fixture.ts'
import { hostileString, wrongIn } from './markdown-oracle.ts'
import { input } from './report-fixture.ts'

const commit = (index: number) => index.toString(16).padStart(40, 'a')
const minute = (index: number) => new Date(Date.UTC(2026, 10, 20, 8, index)).toISOString()

/** A verdict's report at a head, measured at that minute. */
function verdictAt(head: number, at: number) {
  const made = input(heldCandidate())
  const verdict = { ...made.verdict, candidateSha256: at.toString(16).padStart(64, '0') }
  const record = { ...made.record, createdAt: minute(at) }
  return { ...made, record, verdict, context: { ...made.context, headSha: commit(head) } }
}

function cancelled(head: number, at: number, over: Partial<CancelledRun> = {}): CancelledRun {
  const { record, context } = verdictAt(head, at)
  return {
    gateId: record.gateId,
    how: 'interrupted',
    startedAt: minute(at),
    judgedPoints: 2,
    plannedPoints: 6,
    point: 'warm-open-28800-r1',
    context,
    ...over,
  }
}

describe('the comment of a cancelled run', () => {
  test('says at which point of how many it ended, that nothing is judged, and keeps the earlier heads', () => {
    const first = renderComment(verdictAt(1, 1))
    const body = cancelledComment(cancelled(2, 2)).body([first])
    expect(body.split('\n').slice(0, 2)).toEqual([
      first.split('\n', 1)[0],
      '## ⚠️ Capacity not measured: the run was cancelled',
    ])
    expect(body).toContain('**Cancelled** at point 3 of 6 (`warm-open-28800-r1`), head')
    expect(body).toContain('nothing is judged. The 2 finished points are in the pack.')
    expect(body).toContain('<summary>1 earlier head of this pull request</summary>')
    expect(parseHeads([body]).map(({ head, outcome }) => [head, outcome])).toEqual([[commit(1), 'held']])
    expect(wrongIn(body)).toEqual([])
    const next = renderComment(verdictAt(3, 3), [body])
    expect(parseHeads([next]).map(({ head }) => head)).toEqual([commit(3), commit(1)])
    expect(next).not.toContain('cancelled')
  })

  test.each([
    [{ plannedPoints: null, judgedPoints: 0, point: null }, 'before the first point', 'No point was finished.'],
    [{ judgedPoints: 0, point: null }, 'at point 1 of 6', 'No point was finished.'],
    [{ judgedPoints: 1 }, 'at point 2 of 6 (`warm-open-28800-r1`)', 'The finished point is in the pack.'],
    [{ judgedPoints: 8 }, 'at point 9; 6 were planned', 'The 8 finished points'],
  ])('of %j says where it was', (over, where, kept) => {
    const text = renderCancelled(cancelled(1, 1, over))
    expect(text).toContain(`**Cancelled** ${where}`)
    expect(text).toContain(kept)
  })

  test('leaves a verdict that was found since the run began as it is, whichever head it is of', () => {
    for (const head of [1, 2]) {
      const newer = renderComment(verdictAt(head, 5))
      expect(cancelledComment(cancelled(1, 4)).body([newer])).toBe(newer)
    }
  })

  test('leaves its own verdict, where it was ended after it had been shown', () => {
    const own = renderComment(verdictAt(1, 4))
    expect(cancelledComment(cancelled(1, 4)).body([own])).toBe(own)
  })

  test('leaves an earlier verdict of the same commit standing, under one line that tells of the cancelled run', () => {
    const verdict = renderComment(verdictAt(1, 1))
    const once = cancelledComment(cancelled(1, 2)).body([verdict])
    const twice = cancelledComment(cancelled(1, 3)).body([once])
    expect(twice).toBe(once)
    const [marker, note, , ...rest] = once.split('\n')
    expect(note).toMatch(
      /^> ⚠️ A later \[run\]\(https.*\) of this commit was cancelled: .* an earlier run’s verdict\.$/,
    )
    expect([marker, ...rest].join('\n')).toBe(verdict)
    expect(commentText(verdictAt(1, 1)).isIn(once)).toBe(true)
  })

  test('tells of a run that left no word otherwise than of one that was asked to stop', () => {
    expect(renderCancelled(cancelled(1, 1))).toContain('reached its time limit')
    expect(renderCancelled(cancelled(1, 1, { how: 'gone' }))).toContain('left no word of its own')
  })

  test('is its own whatever stands in the pack or the event', () => {
    fc.assert(
      fc.property(hostileString(), hostileString(), hostileString(), (point, runUrl, toolVersion) => {
        const made = cancelled(1, 1, { point })
        const run = { ...made, context: { ...made.context, runUrl, toolVersion, headSha: point } }
        expect(wrongIn(cancelledComment(run).body([]))).toEqual([])
        expect(wrongIn(renderCancelled(run))).toEqual([])
      }),
    )
  })
})
