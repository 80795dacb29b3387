import { expect, test } from 'vitest'
import { dialectFor } from '../../../../src/core/dialect/choose.ts'
import { readRequestsCsv } from '../../../../src/core/record/read.ts'
import { pointPicture } from '../../../../src/core/report/page/picture.ts'
import type { TelemetryLine } from '../../../../src/core/telemetry/line.ts'

const SECOND = 1_000_000
const HEADER =
  'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status,due_us,sent_us,first_token_us,last_token_us,end_us'

/** Ten requests a second apart, each sent 2 ms late but the third, which is 40 ms late; the first token after 100 ms and more. */
const rows = Array.from({ length: 10 }, (_, index) => {
  const due = index * SECOND
  const sent = due + (index === 2 ? 40_000 : 2000)
  const first = sent + 100_000 + index * 1000
  const last = first + 90_000
  return `r${index},chat,${(first - sent) / 1000},10,${(last - sent) / 1000},10,ok,${due},${sent},${first},${last},${last}`
})
const table = await readRequestsCsv([HEADER, ...rows, ''].join('\n'))

const facts: TelemetryLine = {
  t: 'point',
  facts: {
    schema: 1,
    key: { cache: 'cold', load: { openMilliRps: 1000 }, repeat: 1 },
    epoch: 1,
    scheduleSha256: 'a'.repeat(64),
    deployId: 'boot',
    dialect: 'vllm',
    replicas: 2,
    cohortRequests: 10,
    arrivalUs: 9 * SECOND,
    cohortUs: 10 * SECOND,
    maximumReached: false,
    stoppedEarly: null,
    warmupRequests: 0,
  },
}

const client = (second: number, inFlight: number): TelemetryLine => {
  const idle = { backlog: 0, sent: 0, resolved: 0, loopStallUs: 0, gcMaxUs: 0, gcUs: 0, cpuUs: 0 }
  return { t: 'client', atUs: second * SECOND, inFlight, ...idle }
}

const scrape = (second: number, replica: number, values: Record<string, number>): TelemetryLine => ({
  t: 'engine',
  atUs: second * SECOND,
  replica,
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`vllm:${name}`, value])),
})

const dialect = dialectFor({ engine: { name: 'vllm' } })
const laneOf = (lines: TelemetryLine[], title: string) =>
  pointPicture({ dialect, table, lines: [facts, ...lines], stretches: 5 })?.lanes.find((lane) =>
    lane.title.startsWith(title),
  )?.values

test('a stretch shows its highest value, and a stretch without one is a gap', () => {
  const lines = [client(0, 1), client(1, 7), client(1.5, 3), client(6, 2)]
  expect(laneOf(lines, 'in flight')).toEqual([7, null, null, 2, null])
  expect(laneOf(lines, 'send lag')).toEqual([2, 40, 2, 2, 2])
})

test('requests of the replicas add up, of shares the fullest counts, and what one replica lacks is not known', () => {
  const lines = [0, 1].flatMap((replica) => [
    scrape(1, replica, { num_requests_waiting: 3 + replica, kv_cache_usage_perc: 0.2 + replica * 0.5 }),
    ...(replica === 0 ? [scrape(5, replica, { num_requests_waiting: 9, kv_cache_usage_perc: 0.1 })] : []),
  ])
  expect(laneOf(lines, 'waiting')).toEqual([7, null, null, null, null])
  expect(laneOf(lines, 'KV cache')).toEqual([70, null, null, null, null])
})

test('counters are drawn by what they rose; one that fell counts anew', () => {
  const at = (second: number, preempted: number) => scrape(second, 0, { num_preemptions_total: preempted })
  expect(laneOf([at(0, 5), at(2.5, 9), at(4.5, 1), at(6.5, 2)], 'preemptions')).toEqual([null, 4, null, 1, null])
})

test('quantiles are nearest ranks of the successes of a class', () => {
  const picture = pointPicture({ dialect, table, lines: [facts], stretches: 5 })
  expect(picture?.quantiles).toHaveLength(1)
  const [chat] = picture?.quantiles ?? []
  expect([chat?.ttftMs[0], chat?.ttftMs[20], chat?.ttftMs[40]]).toEqual([100, 104, 109])
  expect(chat?.tpotMs.every((value) => value === 10)).toBe(true)
})

test('telemetry that does not begin with the point’s facts draws nothing', () => {
  expect(pointPicture({ dialect, table, lines: [client(0, 1)], stretches: 5 })).toBeNull()
})
