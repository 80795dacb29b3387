import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import type { TelemetryLine } from '../../../src/core/telemetry/line.ts'
import { codesOf, evidenceOf, judged, manifestOf, probed, syntheticPoint } from './synthetic-point.ts'
import type { Behaviour, SyntheticPoint } from './synthetic-point.ts'

const manifest = manifestOf('embedded')

const judge = (behaviour: Partial<Behaviour> = {}, change: (point: SyntheticPoint) => void = () => {}) => {
  const point = syntheticPoint({ manifest, ...behaviour })
  change(point)
  return judged(point)
}

const eachScrape = (point: SyntheticPoint, change: (line: Extract<TelemetryLine, { t: 'engine' }>) => void) => {
  for (const line of point.lines) if (line.t === 'engine') change(line)
}

const firstOf = (point: SyntheticPoint) => point.records[0] as RequestRecord

describe('a point that is sound', () => {
  test('passes, cold and warm, and says so of each probe', async () => {
    const cold = await judge()
    expect(cold).toMatchObject({ outcome: 'pass', reasons: [], stoppedEarly: false, deployId: 'boot-1' })
    expect(cold.slo.capacity_gate_pass).toBe(true)
    expect(cold.evidence.filter(({ state }) => state === 'fail')).toEqual([])
    expect(cold.evidence.filter(({ required, state }) => required && state !== 'pass')).toEqual([])
    expect(evidenceOf(cold, 'cache_hit.cold')).toMatchObject({ state: 'pass', value: 0, limit: 0.01, required: true })
    expect(evidenceOf(cold, 'stability.preemptions')).toMatchObject({ state: 'pass', value: 0, required: false })
    expect(evidenceOf(cold, 'stability.corrupted')).toMatchObject({ state: 'unknown', required: false })
    expect(evidenceOf(cold, 'stability.kv_usage')).toMatchObject({ value: 0.4 })
    expect(evidenceOf(cold, 'tokens.output')).toMatchObject({ state: 'pass', required: false })
    expect(evidenceOf(cold, 'littles_law.client')).toMatchObject({ state: 'pass', required: false })
    const prewarmed = (point: SyntheticPoint) => void point.lines.push(probed('cache_hit.prewarm', 'pass', 'host'))
    const warm = await judge({ cache: 'warm', cachedShare: 0.25 }, prewarmed)
    expect(warm.outcome).toBe('pass')
    expect(evidenceOf(warm, 'cache_hit.warm')).toMatchObject({ state: 'pass', limit: 0.15 })
  })

  test('needs no proof of a reset: the hit rate is one', async () => {
    const report = await judge({}, (point) => void point.lines.push(probed('cache_hit.reset', 'unknown', 'host')))
    expect(report.outcome).toBe('pass')
    const identity = await judge({}, (point) => void point.lines.push(probed('identity.image', 'unknown', 'host')))
    expect(identity.outcome).toBe('unknown')
  })

  test('says how the two sources of the hit rate agree', async () => {
    const report = await judge({ cachedShare: 0.005 })
    const [counters, requests] = ['cache_hit.counters', 'cache_hit.cold'].map(
      (probe) => evidenceOf(report, probe)?.value,
    )
    expect(requests).toBeGreaterThan(0.004)
    expect(counters).toBeCloseTo(requests ?? 0, 4)
  })
})

describe('the client’s and the host’s fault: invalid, whatever else is wrong', () => {
  const slow = { missed: { interactive: 100 } }
  const cases: [string, string, (point: SyntheticPoint) => void, Partial<Behaviour>?][] = [
    ['a request is missing', 'client.ids', (point) => void point.records.pop()],
    ['only a part of the schedule was begun', 'client.ids', () => {}, { cohortRequests: 599 }],
    ['a request is foreign', 'client.ids', (point) => void (firstOf(point).id = 'r-99999')],
    ['a class is wrong', 'client.rows', (point) => swapClass(point)],
    ['a due time is wrong', 'client.rows', (point) => void (firstOf(point).dueUs += 1)],
    ['a prompt was counted otherwise', 'client.prompt_tokens', (point) => void (firstOf(point).inputTokens = 7)],
    ['requests were sent late', 'client.send_lag', (point) => delay(point, 12)],
    ['requests were sent early', 'client.send_lag', (point) => hasten(point, 12)],
    [
      'one replica got the other’s requests',
      'client.replicas',
      (point) => point.records.forEach((record) => void (record.replica = 0)),
    ],
    ['requests were not sent in the window', 'client.offered_rate', (point) => unsent(point, 0.02)],
    ['the client ran out of ports', 'client.resources', (point) => unsent(point, 0.001)],
    ['too many cold hits', 'cache_hit.cold', () => {}, { cachedShare: 0.02 }],
    ['warm hits lost, prewarm not proven', 'cache_hit.warm', () => {}, { cache: 'warm', cachedShare: 0.02 }],
    [
      'another schedule',
      'client.schedule',
      (point) => void (point.schedule = { ...point.schedule, sha256: 'f'.repeat(64) }),
    ],
    ['the GPU slowed down', 'host.thermal', (point) => void point.lines.push(probed('host.thermal', 'fail', 'host'))],
    [
      'the version is another',
      'identity.version',
      (point) => void point.lines.push(probed('identity.version', 'fail', 'host')),
    ],
  ]
  test.each(cases)('%s', async (_, probe, change, behaviour) => {
    const report = await judge({ ...slow, ...behaviour }, change)
    expect(report.outcome).toBe('invalid')
    expect(report.reasons.map(({ text }) => text)).toContainEqual(expect.stringContaining(probe))
    expect(report.reasons.every(({ code }) => code === 'evidence_failed')).toBe(true)
  })

  test('tokens that the engine did not make are advice, and decide where the manifest asks for them', async () => {
    const half = (point: SyntheticPoint) =>
      eachScrape(point, ({ values }) => void (values['vllm:generation_tokens_total{engine="0"}'] = 5))
    const advice = await judge({}, half)
    expect(advice.outcome).toBe('pass')
    expect(evidenceOf(advice, 'tokens.output')).toMatchObject({ state: 'fail', blames: 'client', required: false })
    const strict = manifestOf('embedded', { acceptance: { required_evidence: ['tokens'] } })
    expect((await judge({ manifest: strict }, half)).outcome).toBe('invalid')
  })

  test('load from elsewhere shows in the counters and blames the host', async () => {
    const twice = (point: SyntheticPoint) =>
      eachScrape(point, ({ values }) => void (values['vllm:generation_tokens_total{engine="0"}']! *= 3))
    expect(evidenceOf(await judge({}, twice), 'tokens.output')).toMatchObject({ state: 'fail', blames: 'host' })
  })
})

describe('the engine’s fault: fail', () => {
  const event: TelemetryLine = {
    t: 'event',
    atUs: 3e6,
    replica: 0,
    kind: 'exit',
    blames: 'engine',
    text: 'exit code 137',
  }
  const cases: [string, string, Partial<Behaviour>, ((point: SyntheticPoint) => void)?][] = [
    ['a class misses its attainment', 'class_attainment', { missed: { long_context: 7 } }],
    ['too many errors', 'error_rate', { failed: { interactive: 7 } }],
    ['one class has too many errors', 'class_error_rate', { failed: { generation_heavy: 4 } }],
    ['the queue grows', 'queue_growing', { inFlight: (second) => 20 + 4 * second }],
    ['the engine’s own queue grows', 'queue_growing', { waiting: (second) => 2 * Math.max(0, second) }],
    ['it was slow to take requests', 'evidence_failed', {}, (point) => takenLate(point, 0.1)],
    ['it exited', 'exit', {}, (point) => void point.lines.push(event)],
    ['it counts anew', 'restarts', {}, (point) => restart(point)],
    ['corrupt output', 'corrupted', {}, (point) => corrupt(point)],
    [
      'warm hits lost though prewarmed',
      'evidence_failed',
      { cache: 'warm', cachedShare: 0.02 },
      (point) => void point.lines.push(probed('cache_hit.prewarm', 'pass', 'host')),
    ],
    [
      'not idle after the drain',
      'quiesce',
      {},
      (point) => void point.lines.push(probed('stability.quiesce', 'fail', 'engine')),
    ],
  ]
  test.each(cases)('%s', async (_, code, behaviour, change) => {
    const report = await judge(behaviour, change)
    expect(report.outcome).toBe('fail')
    expect(codesOf(report)).toContain(code)
  })

  test('an engine that takes no connection was offered its load', async () => {
    const report = await judge({}, (point) => {
      for (const record of point.records.slice(300)) Object.assign(record, nothing, { errorCode: 'connect_failed' })
      point.lines.push(event)
    })
    expect(report.outcome).toBe('fail')
    expect(evidenceOf(report, 'client.offered_rate')).toMatchObject({ state: 'pass', value: 1 })
  })

  test('one that never started leaves an empty cohort that fails by that alone', async () => {
    const none = { cohortRequests: 0, facts: { stoppedEarly: 'no load was sent', arrivalUs: 0, cohortUs: 0 } }
    const report = await judge(none, (point) => {
      const started = { ...event, atUs: 0, kind: 'start_failed', replica: null, text: 'died at start' }
      point.lines.splice(1, Infinity, started)
    })
    expect(report).toMatchObject({ outcome: 'fail', reasons: [{ code: 'start_failed' }], limiting: null })
  })

  test('the smoke request without usage is insufficient evidence: invalid, with an empty cohort', async () => {
    const none = { cohortRequests: 0, facts: { stoppedEarly: 'no load was sent', arrivalUs: 0, cohortUs: 0 } }
    const report = await judge(
      none,
      (point) => void point.lines.splice(1, Infinity, probed('tokens.smoke', 'fail', 'host')),
    )
    expect(report.outcome).toBe('invalid')
  })
})

describe('undersampled and unknown', () => {
  const cut = { cohortRequests: 700, facts: { maximumReached: true } }

  test('a class short of its floor at the maximum duration', async () => {
    const lax = manifestOf('embedded', { acceptance: { error_rate_max: 0.2, class_error_rate_max: 0.9 } })
    const report = await judge({ manifest: lax, ...cut, failed: { generation_heavy: 25 } })
    expect(report).toMatchObject({
      outcome: 'undersampled',
      reasons: [{ class: 'generation_heavy', value: 45, limit: 50 }],
    })
    const failing = await judge({
      manifest: lax,
      ...cut,
      failed: { generation_heavy: 25 },
      missed: { interactive: 60 },
    })
    expect(failing.outcome).toBe('fail')
  })

  test('rows whose time had not come at the maximum duration are not missing; one whose time had is', async () => {
    const shorten = (point: SyntheticPoint) => {
      point.records = point.records.slice(0, 650)
      const [first] = point.lines
      if (first?.t === 'point') first.facts.arrivalUs = (point.records.at(-1) as RequestRecord).dueUs
    }
    expect(evidenceOf(await judge(cut, shorten), 'client.ids')?.state).toBe('pass')
    const report = await judge(cut, (point) => {
      shorten(point)
      point.records.splice(10, 1)
    })
    expect(evidenceOf(report, 'client.ids')?.state).toBe('fail')
  })

  test('a required group that no probe tells anything of is unknown, never a pass', async () => {
    const unasked = await judge({}, (point) => {
      point.lines = point.lines.filter((line) => line.t !== 'evidence')
    })
    expect(unasked).toMatchObject({
      outcome: 'unknown',
      reasons: [{ code: 'evidence_unknown', text: 'identity: no probe told anything' }],
    })
    const hosted = manifestOf('embedded', { acceptance: { required_evidence: ['identity', 'host'] } })
    const report = await judge({ manifest: hosted })
    expect(report.outcome).toBe('unknown')
    expect(evidenceOf(report, 'host')).toMatchObject({ state: 'unknown', required: true })
    const probedHost = (point: SyntheticPoint) => void point.lines.push(probed('host.clocks', 'pass', 'host'))
    expect((await judge({ manifest: hosted }, probedHost)).outcome).toBe('pass')
  })

  test('warm hits that some answers leave open are not read as hits, nor as misses', async () => {
    const prewarmed = (point: SyntheticPoint) => void point.lines.push(probed('cache_hit.prewarm', 'pass', 'host'))
    const untold = (share: number) => (point: SyntheticPoint) => {
      prewarmed(point)
      for (const record of point.records.slice(0, share * point.records.length)) record.cachedTokens = null
      eachScrape(point, ({ values }) => void delete values['vllm:prompt_tokens_cached_total{engine="0"}'])
    }
    const open = await judge({ cache: 'warm', cachedShare: 0.153 }, untold(0.05))
    expect(evidenceOf(open, 'cache_hit.warm')).toMatchObject({ state: 'unknown', limit: 0.15 })
    expect(open.outcome).toBe('unknown')
    const enough = await judge({ cache: 'warm', cachedShare: 0.2 }, untold(0.05))
    expect(enough.outcome).toBe('pass')
    expect((await judge({ cache: 'warm', cachedShare: 0.1 }, untold(0.04))).outcome).toBe('fail')
  })

  const withoutScrapes = (point: SyntheticPoint) => {
    point.lines = point.lines.filter(({ t }) => t !== 'engine')
  }

  test('without a scrape the required probes are unknown, never a pass', async () => {
    const report = await judge({}, withoutScrapes)
    expect(report.outcome).toBe('unknown')
    expect(report.slo).toMatchObject({ queue_trend: 'unknown', capacity_gate_pass: false })
    expect(evidenceOf(report, 'stability.restarts')?.state).toBe('unknown')
    expect(evidenceOf(report, 'stability.preemptions')?.state).toBe('unknown')
    expect(codesOf(report)).toEqual(['evidence_unknown', 'evidence_unknown'])
  })

  test('a missing probe does not hide a proven failure', async () => {
    expect((await judge({ missed: { interactive: 100 } }, withoutScrapes)).outcome).toBe('fail')
  })

  test('an unknown queue is no pass, also where its evidence is not required', async () => {
    const lenient = manifestOf('embedded', { acceptance: { required_evidence: ['identity'] } })
    const report = await judge({ manifest: lenient }, withoutScrapes)
    expect(report).toMatchObject({ outcome: 'unknown', reasons: [{ code: 'queue_unknown' }] })
  })

  test('a hit rate that nobody tells is unknown', async () => {
    const report = await judge({}, (point) => {
      for (const record of point.records) record.cachedTokens = null
      eachScrape(point, ({ values }) => {
        delete values['vllm:prompt_tokens_cached_total{engine="0"}']
      })
    })
    expect(evidenceOf(report, 'cache_hit.cold')).toMatchObject({ state: 'unknown', required: true })
    expect(report.outcome).toBe('unknown')
  })

  test('stopped early it fails where nothing could have saved it, and is unknown otherwise', async () => {
    const early = { facts: { stoppedEarly: 'interactive: 30 successes missed their cutoffs' } }
    expect(await judge({ ...early, missed: { interactive: 40 } })).toMatchObject({
      outcome: 'fail',
      stoppedEarly: true,
    })
    const fine = await judge({ facts: { stoppedEarly: 'to protect the machine' } })
    expect(fine).toMatchObject({ outcome: 'unknown', reasons: [{ code: 'stopped_early' }] })
  })
})

const nothing = {
  status: 'error',
  sentUs: null,
  firstTokenUs: null,
  firstContentUs: null,
  lastTokenUs: null,
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  chunks: 0,
  httpStatus: null,
  finishReason: null,
} as const

function swapClass(point: SyntheticPoint): void {
  const heavy = point.records.find((record) => record.class === 'interactive') as RequestRecord
  Object.assign(heavy, nothing, { class: 'long_context', errorCode: 'connection_reset', sentUs: heavy.sentUs })
}

/** A share of the requests, evenly spread, found no port. */
function unsent(point: SyntheticPoint, share: number): void {
  const stride = Math.floor(1 / share)
  const chosen = point.records.filter((_, index) => index % stride === 0)
  for (const record of chosen) Object.assign(record, nothing, { errorCode: 'client_resource' })
}

/** The client asked in time, and the engine accepted or read too late for the users' cutoffs. */
function takenLate(point: SyntheticPoint, share: number): void {
  const stride = Math.floor(1 / share)
  const late = (us: number | null): number | null => (us === null ? null : us + 2_000_000)
  for (const record of point.records.filter((_, index) => index % stride === 0)) {
    const { sentUs, firstTokenUs, lastTokenUs, endUs } = record
    const times = { sentUs: late(sentUs), firstTokenUs: late(firstTokenUs), lastTokenUs: late(lastTokenUs) }
    Object.assign(record, times, { endUs: endUs + 2_000_000 })
  }
}

function delay(point: SyntheticPoint, count: number): void {
  for (const record of point.records.slice(0, count)) {
    record.handedUs = record.dueUs + 6000
    record.sentUs = record.handedUs
  }
}

function hasten(point: SyntheticPoint, count: number): void {
  for (const record of point.records.slice(-count)) {
    record.handedUs = record.dueUs - 6000
    record.sentUs = record.handedUs
  }
}

function restart(point: SyntheticPoint): void {
  eachScrape(point, ({ atUs, replica, values }) => {
    if (atUs > 5e6 && replica === 1) values['vllm:generation_tokens_total{engine="0"}'] = 1
  })
}

function corrupt(point: SyntheticPoint): void {
  eachScrape(
    point,
    ({ atUs, values }) => void (values['vllm:corrupted_requests_total{engine="0"}'] = atUs > 5e6 ? 1 : 0),
  )
}
