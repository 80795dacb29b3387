import { describe, expect, it } from 'vitest'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { dueUs } from '../../../src/core/kernel/point.ts'
import { testRows, testShape } from './shape.ts'
import { impatient, stages } from './stages.ts'
import { never, orderOn, watch } from './watch.ts'

const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id).toSorted()
const numberOf = (id: string) => Number(id.slice(2))

/** The most requests that were in flight at once: sent, and not ended. */
function mostAtOnce(records: readonly RequestRecord[]): number {
  const steps = records.flatMap(({ sentUs, endUs }): [number, number][] => [
    [sentUs ?? endUs, 1],
    [endUs, -1],
  ])
  let now = 0
  return Math.max(...steps.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, step]) => (now += step)))
}

describe.each(stages)('%s', (_, makeStage) => {
  it('resolves every scheduled request to one record, due when the schedule says', async () => {
    await using stage = await makeStage(2)
    const rows = testRows(30)
    const seen = watch()
    const outcome = await stage.replay.run(orderOn(stage, { blocks: [rows] }), seen, never)
    expect(idsOf(seen.records)).toEqual(idsOf(rows))
    const due = new Map(rows.map((row) => [row.id, dueUs(row.offsetUs, 200_000)]))
    for (const record of seen.records) {
      expect(record).toMatchObject({ class: 'small', status: 'ok', errorCode: null, httpStatus: 200 })
      expect(record).toMatchObject({ inputTokens: 24, outputTokens: 4, chunks: 4, finishReason: 'length' })
      expect(record.dueUs).toBe(due.get(record.id))
      const times = [record.dueUs, record.sentUs, record.firstTokenUs, record.lastTokenUs, record.endUs]
      expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)))
      expect(times.every(Number.isSafeInteger)).toBe(true)
    }
    expect(seen.chunks.map(({ gapsUs }) => gapsUs.length)).toEqual(rows.map(() => 3))
    expect(seen.chunks.map(({ tokensPerChunk }) => tokensPerChunk)).toEqual(rows.map(() => [1, 1, 1, 1]))
    expect(outcome).toMatchObject({ cohortRequests: 30, arrivalUs: 150_000, warmupRequests: 0 })
    expect(outcome).toMatchObject({ maximumReached: false, stoppedEarly: null })
    expect(outcome.cohortUs).toBe(Math.max(...seen.records.map(({ endUs }) => endUs)))
    expect(outcome.evidence.every(({ blames }) => blames === 'client')).toBe(true)
  })

  it('gives each replica its turn', async () => {
    await using stage = await makeStage(3)
    const seen = watch()
    await stage.replay.run(orderOn(stage, { blocks: [testRows(9)] }), seen, never)
    const replicas = seen.records.toSorted((a, b) => numberOf(a.id) - numberOf(b.id)).map(({ replica }) => replica)
    expect(replicas).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2])
  })

  it('hands records over in the order of their ends', async () => {
    await using stage = await makeStage(1, (id) => (numberOf(id) % 3 === 0 ? 'slow' : 'ok'))
    const seen = watch()
    await stage.replay.run(orderOn(stage, { blocks: [testRows(12)] }), seen, never)
    const ends = seen.records.map(({ endUs }) => endUs)
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    expect(seen.records.map(({ id }) => id)).not.toEqual(idsOf(seen.records))
  })

  it('sends warm-up rows before the cohort and keeps them out of it', async () => {
    await using stage = await makeStage(2)
    const seen = watch()
    const order = orderOn(stage, { blocks: [testRows(10)], warmup: testRows(5, 1, 'w'), warmupUs: 25_000 })
    const outcome = await stage.replay.run(order, seen, never)
    expect(idsOf(seen.records)).toEqual(idsOf(testRows(10)))
    expect(outcome).toMatchObject({ warmupRequests: 5, cohortRequests: 10 })
    // The fifth warm-up request took replica 0's turn.
    expect(seen.records.find(({ id }) => id === 'r-00001')?.replica).toBe(1)
  })

  it('asks once for each block, and sends it when it is wanted', async () => {
    await using stage = await makeStage(1)
    const seen = watch({ extend: true })
    const blocks = [testRows(10), testRows(4, 11), testRows(4, 15)]
    const outcome = await stage.replay.run(orderOn(stage, { blocks }), seen, never)
    expect(seen.asks).toHaveLength(2)
    expect(idsOf(seen.records)).toEqual(idsOf(blocks.flat()))
    expect(outcome).toMatchObject({ cohortRequests: 18, arrivalUs: 90_000 })
  })

  it('ends the arrivals when the next block is not wanted', async () => {
    await using stage = await makeStage(1, () => 'slow')
    const seen = watch({ extend: false })
    const blocks = [testRows(10), testRows(4, 11), testRows(4, 15)]
    const outcome = await stage.replay.run(orderOn(stage, { blocks }), seen, never)
    expect(seen.asks).toHaveLength(1)
    expect(idsOf(seen.records)).toEqual(idsOf(blocks[0] ?? []))
    expect(outcome).toMatchObject({ cohortRequests: 10, arrivalUs: 50_000, maximumReached: false, stoppedEarly: null })
  })

  it('stops when it is told to, and drains what is in flight', async () => {
    await using stage = await makeStage(1, (id) => (numberOf(id) === 2 ? 'slow' : 'ok'))
    const seen = watch({ stop: (records) => (records >= 3 ? `no completion can pass, seen at ${records}` : null) })
    const order = orderOn(stage, { blocks: [testRows(400)], load: { openMilliRps: 100_000 } })
    const outcome = await stage.replay.run(order, seen, never)
    expect(outcome.stoppedEarly).toBe('no completion can pass, seen at 3')
    expect(outcome.cohortRequests).toBe(400)
    expect(seen.records.length).toBeLessThan(400)
    // Nothing that was sent is lost: the slow one is there too, and no number is missing before the last.
    const sent = seen.records.map(({ id }) => numberOf(id)).toSorted((a, b) => a - b)
    expect(sent).toEqual(Array.from({ length: sent.length }, (__, index) => index + 1))
    expect(outcome.arrivalUs).toBe(sent.length * 10_000)
  })

  it('ends the arrivals at the maximum duration', async () => {
    await using stage = await makeStage(1)
    const seen = watch()
    const order = orderOn(stage, { blocks: [testRows(20), testRows(20, 21)], maximumDurationUs: 62_000 })
    const outcome = await stage.replay.run(order, seen, never)
    expect(idsOf(seen.records)).toEqual(idsOf(testRows(12)))
    expect(outcome).toMatchObject({ maximumReached: true, arrivalUs: 60_000, cohortRequests: 20 })
    expect(seen.asks).toEqual([])
  })

  it('keeps N in flight in a closed loop', async () => {
    await using stage = await makeStage(2, (id) => (numberOf(id) % 2 === 0 ? 'slow' : 'ok'))
    const seen = watch()
    const warmup = testRows(3, 1, 'w')
    const parts = { load: { closedConcurrency: 3 }, warmup, warmupUs: 300_000, blocks: [testRows(10), testRows(4, 11)] }
    const outcome = await stage.replay.run(orderOn(stage, parts), seen, never)
    expect(idsOf(seen.records)).toEqual(idsOf(testRows(14)))
    expect(mostAtOnce(seen.records)).toBe(3)
    expect(seen.records.every(({ dueUs: due, sentUs }) => due >= 0 && sentUs !== null && sentUs >= due)).toBe(true)
    expect(outcome).toMatchObject({ cohortRequests: 14, warmupRequests: 3, maximumReached: false })
    expect(outcome.arrivalUs).toBe(Math.max(...seen.records.map(({ dueUs: due }) => due)))
  })

  it('ends a closed loop at the maximum duration', async () => {
    await using stage = await makeStage(1, () => 'slow')
    const seen = watch()
    const parts = { load: { closedConcurrency: 2 }, blocks: [testRows(100)], maximumDurationUs: 200_000 }
    const outcome = await stage.replay.run(orderOn(stage, parts), seen, never)
    expect(outcome.maximumReached).toBe(true)
    expect(seen.records.length).toBeLessThan(100)
    expect(seen.records.every(({ dueUs: due }) => due <= 200_000)).toBe(true)
  })

  it('tells errors, refusals and deadlines apart, and goes on', async () => {
    const kinds = ['ok', 'http_500', 'http_503', 'silent'] as const
    await using stage = await makeStage(1, (id) => kinds[numberOf(id) % 4] ?? 'ok')
    const seen = watch()
    await stage.replay.run(orderOn(stage, { shape: impatient, blocks: [testRows(8)] }), seen, never)
    const got = seen.records.map((record) => {
      const { id, status, errorCode, httpStatus, outputTokens } = record
      return [numberOf(id) % 4, status, errorCode, httpStatus, outputTokens].join(' ')
    })
    const expected = [
      '0 ok  200 4',
      '1 error http_status 500 ',
      '2 rejected http_status 503 ',
      '3 timeout first_token_deadline 200 ',
    ]
    expect(got.toSorted()).toEqual(expected.flatMap((line) => [line, line]).toSorted())
  })

  it('samples its own state, to the end', async () => {
    await using stage = await makeStage(1)
    const seen = watch()
    await stage.replay.run(orderOn(stage, { blocks: [testRows(150)] }), seen, never)
    const times = seen.samples.map(({ atUs }) => atUs)
    expect(times.length).toBeGreaterThanOrEqual(3)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(seen.samples.at(-1)).toMatchObject({ inFlight: 0, backlog: 0, sent: 150, resolved: 150 })
  })

  it('rejects with the reason of an abort; what had ended was handed over', async () => {
    await using stage = await makeStage(1, (id) => (numberOf(id) > 5 ? 'silent' : 'ok'))
    const controller = new AbortController()
    const reason = new Error('interrupted')
    const seen = watch({
      stop(records) {
        if (records === 5) controller.abort(reason)
        return null
      },
    })
    const running = stage.replay.run(orderOn(stage, { blocks: [testRows(200)] }), seen, controller.signal)
    await expect(running).rejects.toBe(reason)
    expect(idsOf(seen.records)).toEqual(idsOf(testRows(5)))
  })

  it('rejects with what its control throws', async () => {
    await using stage = await makeStage(1)
    const seen = watch()
    const broken = {
      ...seen,
      onRecord() {
        throw new Error('the disk is full')
      },
    }
    await expect(stage.replay.run(orderOn(stage, { blocks: [testRows(50)] }), broken, never)).rejects.toThrow(
      'the disk is full',
    )
  })

  it('does not begin when it is aborted before', async () => {
    await using stage = await makeStage(1)
    const reason = new Error('before')
    const signal = AbortSignal.abort(reason)
    await expect(stage.replay.run(orderOn(stage, { blocks: [testRows(5)] }), watch(), signal)).rejects.toBe(reason)
    const [target] = stage.targets
    const [row] = testRows(1)
    if (!target || !row) throw new Error('no target')
    await expect(stage.replay.send(testShape(), target, row, signal)).rejects.toBe(reason)
  })

  it('sends single requests, their times from their own start, and never throws for the engine', async () => {
    await using stage = await makeStage(2, (id) => (id === 's-00002' ? 'http_503' : 'ok'))
    const [row, refused] = testRows(2, 1, 's')
    const target = stage.targets[1]
    if (!target || !row || !refused) throw new Error('no target')
    const good = await stage.replay.send(testShape(), target, row, never)
    expect(good).toMatchObject({ id: 's-00001', status: 'ok', dueUs: 0, replica: 1, outputTokens: 4 })
    expect(good.endUs).toBeGreaterThanOrEqual(good.sentUs ?? Infinity)
    const bad = await stage.replay.send(testShape(), target, refused, never)
    expect(bad).toMatchObject({ id: 's-00002', status: 'rejected', errorCode: 'http_status', httpStatus: 503 })
  })
})
