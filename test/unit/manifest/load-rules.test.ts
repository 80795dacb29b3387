import { describe, expect, it } from 'vitest'
import { edited, errors, packManifest, read } from './marked-manifests.ts'

const h100 = packManifest('h100-vllm')
const SHA = 'a'.repeat(64)
const rulesOf = (text: string) => read(text).findings.map((finding) => finding.rule)
const withPattern = (text: string) => edited(h100, 'arrival_pattern: poisson', text)
const withSession = (text: string, session: string) =>
  edited(text, '{name: interactive,', `{name: interactive, session: {${session}},`)
const withWarmRate = (text: string, rate: string) => edited(text, 'hit_rate_min: 0.09', `hit_rate_min: ${rate}`)
const SESSION = 'turns: 3, concurrent: 200, think_seconds: 2'

describe('load shapes', () => {
  it.each([
    'arrival_pattern: gamma\n  gamma: {shape: 0.25}',
    'arrival_pattern: burst\n  burst: {height: 5, width_share: 0.2, period_requests: 2000}',
    'arrival_pattern: ramp\n  ramp: {from: 1, to: 0}',
    `arrival_pattern: trace\n  trace: {file: traces/a.jsonl, sha256: ${SHA}, format: mooncake}`,
    'arrival_pattern: constant\n  closed_loop_think_seconds: 2',
  ])('%s is accepted without a word', (pattern) => {
    expect(rulesOf(withPattern(pattern))).toEqual([])
  })

  it.each(['0.01', '1000'])('a shape of %s is within what can be drawn', (shape) => {
    expect(errors(read(withPattern(`arrival_pattern: gamma\n  gamma: {shape: ${shape}}`)).findings)).toEqual([])
  })

  it.each([
    ['height', 'arrival_pattern: burst\n  burst: {height: 1000001, width_share: 0.0000001, period_requests: 100}'],
    ['from', 'arrival_pattern: ramp\n  ramp: {from: 1.0e+308, to: 1}'],
    ['to', 'arrival_pattern: ramp\n  ramp: {from: 1, to: 1.0e+308}'],
  ])('a %s that no sum holds is refused', (_, pattern) => {
    expect(errors(read(withPattern(pattern)).findings)).toEqual(['out-of-range'])
  })

  it('rates have at most three decimals, from a thousandth to thousands: nothing is rounded', () => {
    const rated = (rates: string) => errors(read(edited(h100, '[16, 20, 24, 28]', rates)).findings)
    expect(rated('[20.001, 20.002]')).toEqual([])
    expect(rated('[20.0005, 28]')).toEqual(['rate-resolution'])
    expect(rated('[0.0004, 28]')).toContain('rate-resolution')
  })
})

describe('sessions', () => {
  it('are accepted, history live too, where the engine tells ids', () => {
    const apart = withWarmRate(h100, '0.26')
    expect(rulesOf(withSession(apart, SESSION))).toEqual([])
    expect(errors(read(withSession(apart, `${SESSION}, history: live`)).findings)).toEqual([])
  })

  it('are refused a live history by an engine that tells none, and in chat', () => {
    const live = withSession(h100, `${SESSION}, history: live`)
    const other = edited(live, 'name: vllm\n', 'name: vllm\n  dialect: openai\n')
    expect(rulesOf(other)).toContain('live-history-without-ids')
    expect(rulesOf(edited(live, 'endpoint: completions', 'endpoint: chat'))).toContain('live-history-without-ids')
  })

  it('may be as long as the model holds: the last turn counts, with its answer', () => {
    const lasting = (turns: number) =>
      read(withSession(h100, `turns: ${turns}, concurrent: 9, think_seconds: 0`)).findings.filter(
        ({ rule }) => rule !== 'cache-states-overlap' && !rule.startsWith('session-'),
      )
    const longest = Math.floor(16_384 / (1024 + 128))
    expect(lasting(longest)).toEqual([])
    const found = lasting(longest + 1)
    expect(found.map(({ rule }) => rule)).toEqual(['longer-than-model'])
    expect(found[0]?.message).toMatch(/last of the 15 turns .* needs 17,280 tokens/)
  })

  it('count in the hit rates: what they repeat can be warm, and is in a cold run too', () => {
    const session = withSession(h100, SESSION)
    expect(rulesOf(withWarmRate(h100, '0.15'))).toEqual(['hit-rate-unreachable'])
    expect(rulesOf(withWarmRate(session, '0.26'))).toEqual([])
    expect(rulesOf(withWarmRate(session, '0.28'))).toEqual(['hit-rate-unreachable'])
    expect(rulesOf(withWarmRate(session, '0.2'))).toEqual(['cache-states-overlap'])
  })
})

describe('the pauses of sessions', () => {
  const found = (session: string, text = h100) =>
    read(withSession(text, session)).findings.filter(({ rule }) => rule.startsWith('session-'))

  it('must fit between the turns at every rate of the sweep', () => {
    // 28 RPS · 0.7: a session's next turn comes after 98 / 19.6 = 5 s.
    expect(found('turns: 3, concurrent: 98, think_seconds: 5').map(({ rule }) => rule)).not.toContain(
      'session-think-too-long',
    )
    const [late] = found('turns: 3, concurrent: 98, think_seconds: 5.1')
    expect(late).toMatchObject({ rule: 'session-think-too-long', path: 'workload[0].session.concurrent' })
    expect(late?.message).toMatch(/at 28 RPS a session of the class "interactive" has its next turn after 5.00 s/)
    expect(late?.hint).toMatch(/concurrent to 100 or more/)
    expect(found('turns: 3, concurrent: 98, think_seconds: 5.1', edited(h100, '20, 24, 28]', '20, 24]'))).toEqual([
      expect.objectContaining({ rule: 'session-answer-too-long' }),
    ])
  })

  it('and the slowest answers within the cutoffs should', () => {
    // 500 ms + 128 · 40 ms = 5.62 s, and 2 s of thought.
    expect(found('turns: 3, concurrent: 150, think_seconds: 2')).toEqual([])
    expect(found('turns: 3, concurrent: 149, think_seconds: 2').map(({ rule }) => rule)).toEqual([
      'session-answer-too-long',
    ])
  })
})

describe('routing', () => {
  it('is refused what its kind of router does not have, though a warning speaks of it too', () => {
    const routed = edited(h100, 'kind: client, policy: round_robin', 'kind: engine, policy: session')
    const { manifest, findings } = read(routed)
    expect(manifest).toBeNull()
    expect(errors(findings)).toContain('unknown-field')
  })

  it('by prefix needs prefixes', () => {
    const routed = edited(h100, 'policy: round_robin', 'policy: prefix')
    expect(rulesOf(routed)).toEqual([])
    const cold = edited(
      routed,
      '\n  warm: {prefix_set: v1, count: 64, tokens: 256, law: zipf, exponent: 1.0, hit_rate_min: 0.09}',
      '',
    )
    expect(rulesOf(cold)).toEqual(['nothing-to-hold-together'])
  })
})

describe('planned cancellations', () => {
  const excluded = edited(h100, 'latency_origin: send', 'latency_origin: send\n  planned_cancellations: excluded')
  const cancelling = (share: number, after: number) =>
    edited(excluded, 'cancellation: none', `cancellation: {share: ${share}, after_tokens: ${after}}`)

  it('are accepted where they are excluded', () => {
    expect(rulesOf(cancelling(0.05, 8))).toEqual([])
  })

  it('are taken off each class that they reach before its floor is asked for', () => {
    expect(errors(read(cancelling(0.2, 8)).findings)).toEqual(['sample-floor-unreachable'])
    const found = read(cancelling(0.2, 8)).findings.find(({ rule }) => rule === 'sample-floor-unreachable')
    expect(found?.message).toMatch(/generation_heavy" has 1,920 requests .* left as planned/)
    expect(rulesOf(cancelling(0.2, 1024))).toEqual(['cancellation-never-comes'])
  })
})
