import { describe, expect, it } from 'vitest'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import { freedEvidence } from '../../../src/core/telemetry/freed-evidence.ts'
import { readTimeline } from '../../../src/core/telemetry/timeline.ts'
import type { PointView } from '../../../src/core/telemetry/point-view.ts'
import { promptCohort } from './prompt-cohort.ts'

const cancellation = { share: 0.3, after_tokens: 5 }
const KV = 'vllm:kv_cache_usage_perc'

/** Two hundred requests in a tenth of a second, each in flight for 0.1 ms, and what the engine says of itself at whole seconds. */
function view(gauges: (second: number) => number | null, quiesced: 'pass' | 'fail' = 'pass', replicas = 1): PointView {
  const cohort = promptCohort({
    client: { cancellation, request_timeout_seconds: 1 },
    told: ({ cancelAfterTokens }) => ({ status: cancelAfterTokens === undefined ? 'ok' : 'cancelled' }),
  })
  const last = Math.ceil(cohort.facts.cohortUs / 1e6) + 10
  const scrapes = Array.from({ length: replicas }, (_, replica) =>
    Array.from({ length: last + 1 }, (_unused, second) => {
      const held = replica === 0 ? gauges(second) : 0
      const values =
        held === null ? {} : { 'vllm:num_requests_running': held, 'vllm:num_requests_waiting': 0, [KV]: held / 100 }
      return { t: 'engine' as const, atUs: second * 1e6, replica, values }
    }),
  ).flat()
  const quiesce = { probe: 'stability.quiesce', state: quiesced, required: false, blames: 'engine' } as const
  return {
    ...cohort,
    dialect: VLLM,
    timeline: readTimeline([...scrapes, { t: 'evidence', evidence: quiesce }], replicas),
  }
}

describe('requests that the client left', () => {
  it('are freed where the gauges return', () => {
    const [found] = freedEvidence(view((second) => (second === 2 ? 1 : 0)))
    expect(found).toMatchObject({ probe: 'stability.freed', state: 'pass', blames: 'engine', required: false })
    expect(found?.text).toMatch(/^\d+ requests were left, and gone .* within 5 s; KV in use fell from 1.0 % to 0.0 %$/)
  })

  it('are not where the engine goes on with more than can be in flight', () => {
    for (const replicas of [1, 2]) {
      const found = freedEvidence(view((second) => second, 'pass', replicas))[0]
      expect(found).toMatchObject({ state: 'fail', blames: 'engine' })
      expect(found?.value).toBeGreaterThan(found?.limit ?? Infinity)
    }
  })

  it('are not where one stays after the drain', () => {
    const end = view(() => 0).facts.cohortUs / 1e6
    expect(freedEvidence(view((second) => (second > end + 5 ? 2 : 0)))[0]).toMatchObject({ state: 'fail', limit: 1 })
  })

  it('are not where their KV stays in use after the drain', () => {
    const held = (last: number) => {
      const story = view(() => 0)
      const scrapes = story.timeline.scrapes[0] ?? []
      for (const [index, { values }] of scrapes.entries()) {
        Object.assign(values, { [KV]: index === 3 ? 0.8 : index === scrapes.length - 1 ? last : 0.1 })
      }
      return freedEvidence(story)[0]
    }
    expect(held(0.75)).toMatchObject({ state: 'fail', blames: 'engine', value: 0.75, limit: 0.4, unit: 'share' })
    expect(held(0.75)?.text).toContain('still held KV: from 80.0 % to 75.0 %')
    expect(held(0.01)).toMatchObject({ state: 'pass' })
  })

  it('are told without KV where the engine does not show it, which is no zero', () => {
    const story = view(() => 0)
    for (const { values } of story.timeline.scrapes[0] ?? []) delete (values as Record<string, number>)[KV]
    expect(freedEvidence(story)[0]).toMatchObject({
      state: 'pass',
      text: expect.stringContaining('KV in use is not told'),
    })
  })

  it('are known only where gauges and the end of the drain are', () => {
    expect(freedEvidence(view(() => null))[0]?.state).toBe('unknown')
    expect(freedEvidence(view(() => 0, 'fail'))[0]?.state).toBe('unknown')
  })

  it('are allowed for until five seconds after they were left, and while the warm-up can last', () => {
    const base = view(() => 0)
    const busy = {
      ...base,
      records: base.records.map((record, index) => (index < 40 ? { ...record, sentUs: 1e6, endUs: 2e6 } : record)),
    }
    const at = (second: number, held: number): PointView => ({
      ...busy,
      timeline: view((s) => (s === second ? held : 0)).timeline,
    })
    expect(freedEvidence(at(6, 41))[0]?.state).toBe('pass')
    expect(freedEvidence(at(9, 41))[0]?.state).toBe('fail')
    const warmed = { ...at(6, 51), facts: { ...busy.facts, warmupRequests: 10 } }
    expect(freedEvidence(warmed)[0]?.state).toBe('pass')
    expect(freedEvidence(at(6, 51))[0]?.state).toBe('fail')
  })
})

it('nothing is said where none was left', () => {
  expect(freedEvidence({ ...view(() => 9), records: [] })).toEqual([])
})
