import { describe, expect, test } from 'vitest'
import { mixSeed } from '../../../fixtures/engine/model/seeded-random.ts'
import { SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import { bootReplicas, simulatePoint } from '../../../fixtures/engine/model/point.ts'
import type { ReplayOrder } from '../../../src/app/ports/replay.ts'
import { dialectFor } from '../../../src/core/dialect/choose.ts'
import { dueUs } from '../../../src/core/kernel/point.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { scheduleBlocks } from '../../../src/core/schedule/blocks.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { warmupRows } from '../../../src/core/schedule/warmup.ts'
import type { TelemetryLine } from '../../../src/core/telemetry/line.ts'
import type { Mishaps } from '../../virtual/in-flight.ts'
import { PointRun } from '../../virtual/point-run.ts'
import { NO_NOISE, VirtualEngine } from '../../virtual/virtual-engine.ts'
import type { VirtualSubject } from '../../virtual/virtual-engine.ts'
import { smallExample } from '../../virtual/virtual-manifest.ts'

const tight = { ...SMALL_ENGINE, slots: 6, maxQueued: 12, kvBlocks: 80 }
const subject: VirtualSubject = {
  parameters: tight,
  noise: { ...NO_NOISE, seed: 5, jitter: 0.05, driftAmplitude: 0.02 },
}
const manifest = smallExample({ client: { request_timeout_seconds: 1 } })
const { schedule } = buildSchedule(manifest, 'warm')

interface Seen {
  records: RequestRecord[]
  gaps: (readonly number[])[]
  samples: Extract<TelemetryLine, { t: 'client' }>[]
  asked: number
}

function replay(
  parts: Partial<ReplayOrder> & { extend?: boolean; stopAt?: number; mishaps?: Mishaps; lagUs?: number },
) {
  const { extend = false, stopAt = Infinity, mishaps = {}, lagUs = 0, ...order } = parts
  const engine = new VirtualEngine(subject, 1, 2)
  for (const replica of engine.replicas) replica.keepSteps()
  const seen: Seen = { records: [], gaps: [], samples: [], asked: 0 }
  const outcome = new PointRun({
    engine,
    order: {
      shape: { manifest, dialect: dialectFor(manifest), header: schedule.header, epoch: 1 },
      targets: [],
      load: { openMilliRps: 60_000 },
      originUs: 0,
      warmup: [],
      warmupUs: 0,
      blocks: scheduleBlocks(schedule),
      maximumDurationUs: 60e6,
      ...order,
    },
    control: {
      onRecord(record, { gapsUs }) {
        seen.records.push(record)
        seen.gaps.push(gapsUs)
      },
      onSample: (line) => void seen.samples.push(line),
      extend() {
        seen.asked += 1
        return extend
      },
      stop: () => (seen.records.length >= stopAt ? 'enough' : null),
    },
    onTime: () => undefined,
    mishaps,
    sendLagUs: lagUs,
  }).run(() => undefined)
  return { outcome, engine, ...seen }
}

describe('a point that is run as time goes on', () => {
  test('comes out as the model’s own whole-point face says, refusals, deadlines and preemptions too', () => {
    const { records, engine } = replay({ load: { openMilliRps: 80_000 } })
    const prefixes = new Map(schedule.header.prefixes.map(({ id, tokens }) => [id, tokens]))
    const requests = schedule.rows.slice(0, schedule.header.initialRequests).map((row) => ({
      id: row.id,
      atUs: dueUs(row.offsetUs, 80_000),
      promptTokens: row.inputTokens,
      outputTokens: row.outputTokens,
      prefixId: row.prefix ?? null,
      prefixTokens: prefixes.get(row.prefix ?? '') ?? 0,
      timeoutUs: 1_000_000,
    }))
    const noises = [0, 1].map((replica) => ({ ...subject.noise, seed: mixSeed(5, 1, replica), speed: 1 }))
    const replicas = bootReplicas(tight, noises)
    const whole = simulatePoint({ replicas, requests })
    const byId = new Map(records.map((record) => [record.id, record]))
    for (const { id, status, firstTokenUs, endUs, cachedTokens } of whole.outcomes) {
      expect(byId.get(id)).toMatchObject({
        status,
        firstTokenUs,
        endUs,
        cachedTokens: status === 'ok' ? cachedTokens : null,
      })
    }
    const statuses = Object.groupBy(whole.outcomes, ({ status }) => status)
    const preemptions = replicas.reduce((sum, { model }) => sum + model.counters.preemptions, 0)
    // The agreement would be hollow without each of them.
    expect(statuses.ok?.length).toBeGreaterThan(100)
    expect(statuses.rejected?.length).toBeGreaterThan(10)
    expect(statuses.timeout?.length).toBeGreaterThan(10)
    expect(preemptions).toBeGreaterThan(5)
    expect(engine.replicas.map(({ model }) => model.counters)).toEqual(replicas.map(({ model }) => model.counters))
  })

  test('hands records over in the order of their ends, with a gap between any two tokens', () => {
    const { records, gaps } = replay({ load: { openMilliRps: 20_000 } })
    const ends = records.map(({ endUs }) => endUs)
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    expect(records.map(({ id }) => id)).not.toEqual(records.map(({ id }) => id).toSorted())
    for (const [index, { outputTokens, firstTokenUs, lastTokenUs, gapUs }] of records.entries()) {
      const own = gaps[index] ?? []
      expect(own).toHaveLength((outputTokens ?? 0) - 1)
      expect(own.reduce((sum, us) => sum + us, 0)).toBe((lastTokenUs ?? 0) - (firstTokenUs ?? 0))
      expect(gapUs?.max).toBe(Math.max(...own))
    }
  })

  test('keeps warm-up requests out of the cohort, and the turn of the replicas', () => {
    const warmup = warmupRows(schedule, 20_000, 2)
    const { outcome, records, samples } = replay({
      load: { openMilliRps: 20_000 },
      warmup,
      warmupUs: 2e6,
      originUs: 5e6,
    })
    expect(outcome).toMatchObject({ warmupRequests: warmup.length, cohortRequests: 600, stoppedEarly: null })
    expect(records).toHaveLength(600)
    expect(records.find(({ id }) => id === 'r-00001')?.replica).toBe(warmup.length % 2)
    expect(outcome.arrivalUs).toBe(dueUs(schedule.rows[599]?.offsetUs ?? 0, 20_000))
    expect(outcome.cohortUs).toBe(records.at(-1)?.endUs)
    expect(samples[0]).toMatchObject({ atUs: -2e6, sent: 0 })
    expect(samples.at(-1)).toMatchObject({ sent: 600, resolved: 600, inFlight: 0 })
  })

  test('follows with the next block when it is wanted', () => {
    expect(replay({ extend: true })).toMatchObject({ asked: 1, outcome: { cohortRequests: 700 } })
    expect(replay({ extend: false })).toMatchObject({ asked: 1, outcome: { cohortRequests: 600 } })
  })

  test('ends its arrivals when told to stop, and drains', () => {
    const { outcome, records, asked } = replay({ stopAt: 50, extend: true })
    expect(outcome).toMatchObject({ stoppedEarly: 'enough', cohortRequests: 600 })
    expect(asked).toBe(0)
    expect(records.length).toBeGreaterThan(50)
    expect(records.length).toBeLessThan(100)
  })

  test('ends its arrivals at the maximum duration', () => {
    const { outcome, records } = replay({ maximumDurationUs: 3e6, load: { openMilliRps: 20_000 } })
    expect(outcome.maximumReached).toBe(true)
    expect(outcome.arrivalUs).toBeLessThanOrEqual(3e6)
    expect(records.every((record) => record.dueUs <= 3e6)).toBe(true)
  })

  test('keeps N in flight in a closed loop', () => {
    const { records, samples } = replay({
      load: { closedConcurrency: 4 },
      warmup: warmupRows(schedule, 1000, 3),
      warmupUs: 3e6,
    })
    expect(records).toHaveLength(600)
    const open = samples.filter(({ atUs }) => atUs >= 0 && atUs < (records.at(-5)?.endUs ?? 0))
    expect(new Set(open.map(({ inFlight }) => inFlight))).toEqual(new Set([4]))
    expect(Math.min(...records.map((record) => record.dueUs))).toBeGreaterThanOrEqual(0)
  })

  test('loses a crashed replica’s requests, and refuses it further ones', () => {
    const crashes: number[] = []
    const crash = { replica: 1, atRequest: 100, onCrash: (atUs: number) => void crashes.push(atUs) }
    const { records } = replay({ mishaps: { crash }, load: { openMilliRps: 30_000 } })
    expect(crashes).toHaveLength(1)
    const lost = Object.groupBy(records, ({ errorCode, replica }) => `${errorCode} ${replica}`)
    expect(lost['connect_failed 1']).toHaveLength(200)
    expect(lost['connection_reset 1']?.every(({ endUs }) => endUs === crashes[0])).toBe(true)
    expect(lost['null 0']).toHaveLength(300)
  })

  test('sends late when the client has fallen behind', () => {
    const { records } = replay({ lagUs: 20_000, load: { openMilliRps: 20_000 } })
    expect(new Set(records.map((record) => (record.sentUs ?? 0) - record.dueUs))).toEqual(new Set([20_000]))
  })
})
