// The client's own error in TTFT and E2E against the log of a server that knows the truth, beside the least that a client in this
// language can do: `node bench/client-error.ts [seconds] [rate …]`.
import { createReplay } from '../src/adapters/replay/replay.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import type { BareTimes } from './bare-client.ts'
import { bareClient } from './bare-client.ts'
import { benchRows, benchShape, showSpread, spread, startTruthServer } from './truth.ts'
import type { Truth } from './truth-server.ts'

const [seconds = 8, ...rates] = process.argv.slice(2).map(Number)
const TOKENS = 64
const clock = systemClock()
const never = new AbortController().signal

async function ourTimes(url: string, rate: number): Promise<{ times: BareTimes[]; cpuUs: number }> {
  const times: BareTimes[] = []
  const before = process.cpuUsage()
  const originUs = clock.nowUs() + 1_250_000
  await createReplay(clock).run(
    {
      shape: benchShape(),
      targets: [{ index: 0, url }],
      load: { openMilliRps: rate * 1000 },
      originUs,
      warmup: benchRows(rate, TOKENS, 'w'),
      warmupUs: 1_000_000,
      blocks: [benchRows(rate * seconds, TOKENS, 'r')],
      maximumDurationUs: 600_000_000,
    },
    {
      onRecord({ id, status, errorCode, sentUs, firstTokenUs, lastTokenUs }) {
        if (status !== 'ok') throw new Error(`${id}: ${errorCode}`)
        const at = (us: number | null) => originUs + (us ?? Number.NaN)
        times.push({ id, sentUs: at(sentUs), firstUs: at(firstTokenUs), lastUs: at(lastTokenUs) })
      },
      onSample() {},
      extend: () => false,
      stop: () => null,
    },
    never,
  )
  const { user, system } = process.cpuUsage(before)
  return { times, cpuUs: user + system }
}

/** Reported value minus the server's, for every request that both know. */
function errorsOf(times: readonly BareTimes[], truths: ReadonlyMap<string, Truth>) {
  const pairs = times.flatMap((time) => {
    const truth = truths.get(time.id)
    return truth ? [{ time, truth }] : []
  })
  return {
    sent: spread(pairs.map(({ time, truth }) => truth.receivedUs - time.sentUs)),
    ttft: spread(pairs.map(({ time, truth }) => time.firstUs - time.sentUs - (truth.firstUs - truth.receivedUs))),
    e2e: spread(pairs.map(({ time, truth }) => time.lastUs - time.sentUs - (truth.lastUs - truth.receivedUs))),
  }
}

using server = await startTruthServer({ firstMs: 50, everyMs: 10, tokens: TOKENS })
for (const rate of rates.length > 0 ? rates : [20, 100, 200]) {
  const bareRows = benchRows(rate * seconds, TOKENS, 'b')
  const bare = errorsOf(await bareClient(clock, server.url, bareRows, rate * 1000), await server.log())
  const ours = await ourTimes(server.url, rate)
  const error = errorsOf(ours.times, await server.log())
  const events = rate * (seconds + 1) * TOKENS
  console.log(`at ${rate}/s (${rate * TOKENS} events/s), ${(ours.cpuUs / events).toFixed(0)} µs CPU an event:`)
  for (const what of ['ttft', 'e2e'] as const) {
    const worse = (error[what].p50 - bare[what].p50).toFixed(3)
    const ratio = (error[what].p99 / bare[what].p99).toFixed(2)
    console.log(
      `  ${what} error ${showSpread(error[what])}; bare sockets ${showSpread(bare[what])}; p50 + ${worse} ms, p99 × ${ratio}`,
    )
  }
  console.log(`  received after sent: ${showSpread(error.sent)}; bare sockets ${showSpread(bare.sent)}`)
}
