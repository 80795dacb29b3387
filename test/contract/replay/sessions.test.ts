import { describe, expect, it } from 'vitest'
import type { ReplayOrder, ReplayOutcome } from '../../../src/app/ports/replay.ts'
import { dueUs } from '../../../src/core/kernel/point.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import type { ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import { pacingEvidence } from '../../../src/core/telemetry/client-pacing.ts'
import { rowEvidence } from '../../../src/core/telemetry/client-rows.ts'
import { sessionEvidence } from '../../../src/core/telemetry/session-evidence.ts'
import { readTimeline } from '../../../src/core/telemetry/timeline.ts'
import { testRows, testSessions, testShape } from './shape.ts'
import type { Stage } from './stages.ts'
import { impatient, stages, TOO_LONG } from './stages.ts'
import type { Watch } from './watch.ts'
import { never, orderOn, watch } from './watch.ts'

const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id).toSorted()
const numberOf = (id: string) => Number(id.slice(2))
const byId = (records: readonly RequestRecord[]) => new Map(records.map((record) => [record.id, record]))

/** What the point's files say of its client. */
function evidenceOf(order: ReplayOrder, outcome: ReplayOutcome, { records, samples }: Watch) {
  const rows = order.blocks.flat()
  const view = {
    manifest: order.shape.manifest,
    schedule: { header: { ...order.shape.header, initialRequests: order.blocks[0]?.length ?? 0 }, rows, sha256: '' },
    facts: { ...outcome, key: { load: order.load }, replicas: order.targets.length } as never,
    records,
    timeline: readTimeline(samples, 0),
  }
  const evidence = [...rowEvidence(view), ...pacingEvidence(view), ...sessionEvidence(view)]
  return new Map(evidence.map((found) => [found.probe, found]))
}

/** Runs the order, and holds what came of it to the schedule. */
async function measured(stage: Stage, parts: Partial<ReplayOrder>, seen = watch()) {
  const order = orderOn(stage, parts)
  const outcome = await stage.replay.run(order, seen, never)
  const evidence = evidenceOf(order, outcome, seen)
  for (const probe of ['client.ids', 'client.rows', 'client.replicas', 'client.resources']) {
    expect(evidence.get(probe)).toMatchObject({ state: 'pass' })
  }
  return { order, outcome, evidence, records: byId(seen.records), seen }
}

function previousEndUs(rows: readonly ScheduleRow[], records: ReadonlyMap<string, RequestRecord>, row: ScheduleRow) {
  const before = rows.find(({ session, turn = 0 }) => session === row.session && turn + 1 === row.turn)
  return before === undefined ? -Infinity : (records.get(before.id)?.endUs ?? NaN)
}

describe.each(stages)('sessions: %s', (_, makeStage) => {
  it('a turn is due at the later of its own time and the end of the turn before plus its think time', async () => {
    await using stage = await makeStage(2, (id) => (numberOf(id) % 5 === 1 ? 'slow' : 'ok'))
    const rows = testSessions({ sessions: 4, turns: 3, thinkUs: 30_000, among: 18 })
    const { records, evidence } = await measured(stage, { blocks: [rows] })
    expect([...records.keys()].toSorted()).toEqual(idsOf(rows))
    let deferred = 0
    for (const row of rows) {
      const ownUs = dueUs(row.offsetUs, 200_000)
      const expectedUs = Math.max(ownUs, previousEndUs(rows, records, row) + (row.thinkUs ?? 0))
      expect(records.get(row.id)).toMatchObject({ dueUs: expectedUs, session: row.session ?? null })
      if (expectedUs > ownUs) deferred += 1
    }
    expect(deferred).toBeGreaterThan(0)
    expect(evidence.get('client.sessions')).toMatchObject({ state: 'pass', required: false, value: deferred })
  })

  it('never lets another request wait for a turn that waits', async () => {
    await using stage = await makeStage(1, (id) => (id === 'r-00001' ? 'silent' : 'ok'))
    const rows = testSessions({ sessions: 1, turns: 2, thinkUs: 0, among: 40 })
    const { records } = await measured(stage, { shape: impatient, blocks: [rows] })
    const waited = rows.find(({ turn }) => turn === 1)?.id
    const others = rows.filter(({ id }) => id !== waited)
    expect(others.every((row) => records.get(row.id)?.dueUs === dueUs(row.offsetUs, 200_000))).toBe(true)
    expect(records.get(waited ?? '')?.dueUs).toBe(records.get('r-00001')?.endUs)
    expect(records.get(waited ?? '')?.dueUs).toBeGreaterThan(
      Math.max(...others.map(({ id }) => records.get(id)?.dueUs ?? 0)),
    )
  })

  it('goes on after a turn that failed, whatever became of it', async () => {
    const kinds = ['http_500', 'http_503', 'silent', 'ok'] as const
    await using stage = await makeStage(1, (id) => kinds[numberOf(id) - 1] ?? 'ok')
    const rows = testSessions({ sessions: 4, turns: 2, thinkUs: 5000, among: 8 })
    const { records } = await measured(stage, { shape: impatient, blocks: [rows] })
    expect([...records.values()].filter(({ status }) => status === 'ok')).toHaveLength(5)
    expect(records.get('r-00003')).toMatchObject({ status: 'timeout' })
    expect(records.get('r-00007')).toMatchObject({ status: 'ok', turn: 1 })
  })

  it('leaves a turn unsent that would be due after the maximum duration, and says that the arrivals were cut', async () => {
    await using stage = await makeStage(1)
    const endless = (row: ScheduleRow) =>
      row.session === 'small-00002' && row.turn === 1 ? { ...row, thinkUs: 61_000_000 } : row
    const rows = testSessions({ sessions: 2, turns: 3, thinkUs: 20_000, among: 12 }).map(endless)
    const { records, outcome } = await measured(stage, { blocks: [rows], maximumDurationUs: 60_000_000 })
    const unsent = rows.filter(({ session, turn = 0 }) => session === 'small-00002' && turn > 0)
    expect(unsent).toHaveLength(2)
    expect(idsOf([...records.values(), ...unsent])).toEqual(idsOf(rows))
    expect(outcome).toMatchObject({ maximumReached: true, cohortRequests: rows.length })
    expect(outcome.arrivalUs).toBeLessThanOrEqual(60_000_000)
  })

  it('leaves the turns unsent of a session whose turn still runs at the maximum duration', async () => {
    await using stage = await makeStage(1, (id) => (id === 'r-00001' ? 'silent' : 'ok'))
    const rows = testSessions({ sessions: 1, turns: 3, thinkUs: 0, among: 12 })
    // The silent turn ends at its deadline of a second, however fast the machine; all the other rows are due by the schedule.
    const { records, outcome } = await measured(stage, { shape: impatient, blocks: [rows], maximumDurationUs: 700_000 })
    const unsent = rows.filter(({ turn = 0 }) => turn > 0)
    expect(idsOf([...records.values(), ...unsent])).toEqual(idsOf(rows))
    expect(outcome).toMatchObject({ maximumReached: true, cohortRequests: rows.length })
    expect(outcome.arrivalUs).toBeLessThanOrEqual(700_000)
  })

  it('counts every turn that fell due before it was told to stop', async () => {
    await using stage = await makeStage(1)
    const seen = watch({ stop: (records) => (records >= 7 ? 'seven are enough' : null) })
    const rows = testSessions({ sessions: 10, turns: 4, thinkUs: 1000, among: 2000 })
    const { outcome } = await measured(stage, { blocks: [rows], load: { openMilliRps: 400_000 } }, seen)
    expect(outcome.stoppedEarly).toBe('seven are enough')
    expect(seen.records.length).toBeLessThan(2000)
  })

  it('asks for the next block in its time, though turns still wait, and sends those all the same', async () => {
    await using stage = await makeStage(1, (id) => (id === 'r-00001' ? 'slow' : 'ok'))
    const seen = watch({ extend: false })
    const rows = testSessions({ sessions: 1, turns: 2, thinkUs: 500_000, among: 10 })
    const { records, outcome } = await measured(stage, { blocks: [rows, testRows(5, 11)] }, seen)
    expect(seen.asks).toHaveLength(1)
    expect(seen.asks[0]).toBeLessThan(10)
    expect(records.size).toBe(10)
    const waited = rows.find(({ turn }) => turn === 1)?.id ?? ''
    expect(outcome).toMatchObject({ cohortRequests: 10, maximumReached: false, arrivalUs: records.get(waited)?.dueUs })
  })

  it('warms up with sessions, and sends none of their turns once the cohort has begun', async () => {
    await using stage = await makeStage(1, (id) => (id === 'w-00001' ? 'silent' : 'ok'))
    const warmup = testSessions({ sessions: 2, turns: 2, thinkUs: 0, among: 8, kind: 'w' })
    const { outcome, records } = await measured(stage, {
      shape: impatient,
      warmup,
      warmupUs: 900_000,
      blocks: [testRows(10)],
    })
    // One of the two second turns waited for a first one that ends at its deadline, a second after it was sent.
    expect(outcome.warmupRequests).toBe(7)
    expect(records.size).toBe(10)
  })

  it('keeps N in flight in a closed loop, passing over turns that are not ready', async () => {
    await using stage = await makeStage(1, (id) => (numberOf(id) % 3 === 0 ? 'slow' : 'ok'))
    const rows = testSessions({ sessions: 4, turns: 3, thinkUs: 0, among: 24 })
    const { records } = await measured(stage, { blocks: [rows], load: { closedConcurrency: 3 } })
    expect(records.size).toBe(24)
    for (const row of rows) {
      const readyUs = previousEndUs(rows, records, row) + (row.thinkUs ?? 0)
      expect(records.get(row.id)?.dueUs).toBeGreaterThanOrEqual(readyUs)
    }
  })

  it('leaves a place of a closed loop empty for its think time', async () => {
    await using stage = await makeStage(1)
    const shape = testShape({ client: { closed_loop_think_seconds: 0.02 } })
    const parts = { shape, blocks: [testRows(9)], load: { closedConcurrency: 1 } }
    const { seen } = await measured(stage, parts)
    const inOrder = seen.records.toSorted((a, b) => a.dueUs - b.dueUs)
    for (const [index, { dueUs: due }] of inOrder.entries()) {
      expect(due).toBe(index === 0 ? 0 : (inOrder[index - 1]?.endUs ?? 0) + 20_000)
    }
  })
})

describe.each(stages)('the router’s policy: %s', (_, makeStage) => {
  const routed = (policy: string, header = {}) =>
    testShape({
      engine: { deploy: { kind: 'endpoint', urls: ['http://127.0.0.1:1'], router: { kind: 'client', policy } } },
      header,
    })

  it('keeps a session on one replica, the k-th on k mod N, and gives the others their turn', async () => {
    await using stage = await makeStage(3)
    const rows = testSessions({ sessions: 5, turns: 3, thinkUs: 0, among: 21 })
    const warmup = testSessions({ sessions: 1, turns: 1, thinkUs: 0, among: 1, kind: 'w' })
    const parts = { shape: routed('session'), blocks: [rows], warmup, warmupUs: 20_000 }
    const { records, evidence } = await measured(stage, parts)
    for (const { id, session } of rows) {
      if (session === undefined) continue
      expect(records.get(id)?.replica).toBe((Number(session.slice(-5)) - 1) % 3)
    }
    const inTurn = rows.filter(({ session }) => session === undefined).map(({ id }) => records.get(id)?.replica)
    expect(inTurn).toEqual([0, 1, 2, 0, 1, 2])
    expect(evidence.get('client.replicas')).toMatchObject({ state: 'pass' })
  })

  it('keeps a prefix on one replica', async () => {
    await using stage = await makeStage(2)
    const prefixes = [1, 2, 3].map((number) => ({ id: `p-0000${number}`, tokens: 8, weight: 1 }))
    const shape = routed('prefix', { cache: 'warm', prefixSet: 'v1', prefixes })
    const rows = testRows(9).map((row, index) => ({ ...row, prefix: `p-0000${(index % 3) + 1}` }))
    const { records } = await measured(stage, { shape, blocks: [rows] })
    for (const { id, prefix } of rows) expect(records.get(id)?.replica).toBe((Number(prefix.slice(-1)) - 1) % 2)
  })
})

describe.each(stages)('planned cancellations: %s', (_, makeStage) => {
  it('leaves an answer after its tokens, and keeps what was seen', async () => {
    await using stage = await makeStage(1, () => 'stepwise')
    const rows = testRows(8).map((row, index) => (index % 2 === 0 ? { ...row, cancelAfterTokens: 2 } : row))
    const { records } = await measured(stage, { blocks: [rows] })
    const left = { status: 'cancelled', errorCode: 'planned_cancellation', outputTokens: 2, chunks: 2, httpStatus: 200 }
    const whole = { status: 'ok', errorCode: null, outputTokens: 4, chunks: 4, httpStatus: 200 }
    for (const { id, cancelAfterTokens } of rows) {
      expect(records.get(id)).toMatchObject(cancelAfterTokens === undefined ? whole : left)
      expect(records.get(id)?.firstTokenUs).not.toBeNull()
    }
  })

  it('goes on with a session whose turn was left', async () => {
    await using stage = await makeStage(1, () => 'stepwise')
    const rows = testSessions({ sessions: 1, turns: 2, thinkUs: 0, among: 2 }).map((row) =>
      row.turn === 0 ? { ...row, cancelAfterTokens: 1 } : row,
    )
    const { records } = await measured(stage, { blocks: [rows] })
    expect([...records.values()].map(({ status }) => status)).toEqual(['cancelled', 'ok'])
  })
})

describe.each(stages)('a single request that is refused: %s', (name, makeStage) => {
  it('brings what the engine said', async () => {
    await using stage = await makeStage(1, () => 'too_long')
    const [target] = stage.targets
    const [row] = testRows(1, 1, 's')
    if (!target || !row) throw new Error(name)
    const answer = await stage.replay.send(testShape(), target, row, never)
    expect(answer).toMatchObject({ status: 'error', errorCode: 'http_status', httpStatus: 400, refusal: TOO_LONG })
  })
})
