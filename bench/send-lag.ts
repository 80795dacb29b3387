// How late requests are sent, at 24 and 200 requests a second, beside the same pacing with nothing to send: `node bench/send-lag.ts`.
import { loopTurn, Pacer } from '../src/adapters/replay/pacer.ts'
import { createReplay } from '../src/adapters/replay/replay.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { dueUs } from '../src/core/kernel/point.ts'
import type { ScheduleRow } from '../src/core/schedule/schedule.ts'
import { benchRows, benchShape, showSpread, spread, startTruthServer } from './truth.ts'

const SECONDS = Number(process.argv[2] ?? 10)
const TOKENS = 64
const clock = systemClock()
const never = new AbortController().signal

async function bareLagsUs(rows: readonly ScheduleRow[], milliRps: number): Promise<number[]> {
  const pacer = new Pacer(clock, loopTurn)
  const originUs = clock.nowUs() + 100_000
  const lags: number[] = []
  for (const row of rows) {
    const atUs = originUs + dueUs(row.offsetUs, milliRps)
    await pacer.until(atUs, { sliceUs: 0, slice: () => false }, never)
    lags.push(clock.nowUs() - atUs)
  }
  return lags
}

async function sendLagsUs(url: string, rows: readonly ScheduleRow[], milliRps: number): Promise<number[]> {
  const lags: number[] = []
  await createReplay(clock).run(
    {
      shape: benchShape(),
      targets: [{ index: 0, url }],
      load: { openMilliRps: milliRps },
      originUs: clock.nowUs() + 1_250_000,
      warmup: benchRows(milliRps / 1000, TOKENS, 'w'),
      warmupUs: 1_000_000,
      blocks: [rows],
      maximumDurationUs: 600_000_000,
    },
    {
      onRecord: ({ sentUs, dueUs: due }) => void lags.push((sentUs ?? Infinity) - due),
      onSample() {},
      extend: () => false,
      stop: () => null,
    },
    never,
  )
  return lags
}

using server = await startTruthServer({ firstMs: 50, everyMs: 10, tokens: TOKENS })
for (const rate of [24, 200]) {
  const rows = benchRows(rate * SECONDS, TOKENS, 'r')
  const floor = spread(await bareLagsUs(rows, rate * 1000))
  const lag = spread(await sendLagsUs(server.url, rows, rate * 1000))
  const ratio = `${(lag.p50 / floor.p50).toFixed(1)} ×, ${(lag.p99 / floor.p99).toFixed(1)} ×`
  console.log(`send lag at ${rate}/s: ${showSpread(lag)}; nothing to send: ${showSpread(floor)}; ratio ${ratio}`)
}
