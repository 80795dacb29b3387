import { describe, expect, test } from 'vitest'
import { exampleRequests, prewarmRequests } from '../../../fixtures/engine/model/example-schedule.ts'
import { QUIET } from '../../../fixtures/engine/model/parameters.ts'
import { bootReplicas, simulatePoint } from '../../../fixtures/engine/model/point.ts'
import {
  WORKED_EXAMPLE_8XH100,
  WORKED_EXAMPLE_CLASSES,
  WORKED_EXAMPLE_REPLICAS,
} from '../../../fixtures/engine/model/worked-example.ts'

interface Judged {
  attainment: Record<string, number>
  weakest: number
  failures: number
  hitRate: number
}

function run(rateRps: number, warm: boolean, slower = 1): Judged {
  const noises = Array.from({ length: WORKED_EXAMPLE_REPLICAS }, (_, seed) => ({ ...QUIET, seed, jitter: 0.03 }))
  const replicas = bootReplicas(WORKED_EXAMPLE_8XH100, noises)
  for (const { model } of replicas) model.faults.prefillFactor = slower
  if (warm) simulatePoint({ replicas, requests: prewarmRequests(replicas.length) })
  const requests = exampleRequests({ seed: 20_260_911, rateRps, warm, timeoutUs: 120e6 })
  const { outcomes } = simulatePoint({ replicas, requests })
  const attainment: Record<string, number> = {}
  for (const { name, ttftCutoffMs, tpotCutoffMs } of WORKED_EXAMPLE_CLASSES) {
    const judged = outcomes.flatMap((outcome, index) => {
      if (outcome.status !== 'ok' || !outcome.id.startsWith(name)) return []
      const ttftMs = (outcome.firstTokenUs! - requests[index]!.atUs) / 1000
      const tpotMs = (outcome.lastTokenUs! - outcome.firstTokenUs!) / 1000 / (outcome.outputTokens - 1)
      return [ttftMs <= ttftCutoffMs && tpotMs <= tpotCutoffMs]
    })
    attainment[name] = judged.filter(Boolean).length / judged.length
  }
  const inputTokens = requests.reduce((sum, request) => sum + request.promptTokens, 0)
  return {
    attainment,
    weakest: Math.min(...Object.values(attainment)),
    failures: outcomes.filter((outcome) => outcome.status !== 'ok').length,
    hitRate: outcomes.reduce((sum, outcome) => sum + outcome.cachedTokens, 0) / inputTokens,
  }
}

describe('the worked example in virtual time', () => {
  test('cold, 22,000 requests a point: 16, 20 and 24 RPS pass, 28 fails clearly in the interactive class', () => {
    const points = [16, 20, 24, 28].map((rate) => run(rate, false))
    expect(points.map(({ weakest }) => weakest >= 0.95)).toEqual([true, true, true, false])
    const [sixteen, twenty, twentyFour, twentyEight] = points.map(({ weakest }) => weakest) as [
      number,
      number,
      number,
      number,
    ]
    expect(sixteen >= twenty && twenty > twentyFour && twentyFour > twentyEight).toBe(true)
    expect(twentyEight).toBeLessThan(0.9)
    expect(points[3]!.attainment['interactive']).toBe(twentyEight)
    expect(points.map(({ failures, hitRate }) => [failures, hitRate])).toEqual(points.map(() => [0, 0]))
  })

  test('warm, it carries 26 RPS, which it does not carry cold, at the hit rate of its prefixes', () => {
    const warm = run(26, true)
    expect(warm.weakest).toBeGreaterThanOrEqual(0.95)
    expect(run(26, false).weakest).toBeLessThan(0.95)
    // 256 tokens of 2,406 each, less what eviction takes.
    expect(warm.hitRate).toBeGreaterThan(0.09)
    expect(warm.hitRate).toBeLessThanOrEqual(256 / 2406.4)
  })

  test('with slower prefill it no longer carries 24 RPS', () => {
    expect(run(24, false, 1.5).weakest).toBeLessThan(0.9)
  })
})
