// Ten thousand streams in flight at once: that all of them end well, and what each takes of memory:
// `npm run bench -- streams [--streams 10000]`.
import { readFileSync } from 'node:fs'
import type { Truth } from './native/truth-server.ts'
import { startTruthServer } from './native/truth-server.ts'
import type { Figure } from './instrument/figure.ts'
import { benchCommand, progress } from './instrument/figure.ts'
import { collectGarbage, memoryNow } from './instrument/memory.ts'
import type { ClientRun } from './instrument/our-client.ts'
import { runOurs } from './instrument/our-client.ts'
import { benchRows } from './instrument/requests.ts'
import { spreadOf } from './instrument/spread.ts'

const RATE_RPS = 1000
const EVERY_MS = 1000
/** Descriptors beside those of the streams. */
const OWN_DESCRIPTORS = 200
const SAMPLE_MS = 100

/** How many streams this process may open: Node raises its soft limit to the hard one at its start. */
function mostStreams(wanted: number): number {
  let limit = Infinity
  try {
    const line = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    if (line !== undefined && line !== 'unlimited') limit = Number(line)
  } catch {
    progress('the limit of open files is not known here')
  }
  const most = Math.min(wanted, limit - OWN_DESCRIPTORS)
  if (most < wanted)
    progress(`${limit} files may be open: ${most} streams instead of ${wanted}; raise it with ulimit -n`)
  return most
}

/** The most streams that were open at one time, by the server's log. */
function peakInFlight(truths: Iterable<Truth>): number {
  const all = [...truths]
  const begun = all.map(({ receivedUs }) => receivedUs).toSorted((a, b) => a - b)
  const ended = all.map(({ lastUs }) => lastUs).toSorted((a, b) => a - b)
  let [peak, gone] = [0, 0]
  begun.forEach((beganUs, index) => {
    while ((ended[gone] ?? Infinity) <= beganUs) gone += 1
    peak = Math.max(peak, index + 1 - gone)
  })
  return peak
}

async function measured(streams: number, url: string): Promise<ClientRun & { peakRssMiB: number; rssMiB: number }> {
  const tokens = 2 + Math.ceil((streams / RATE_RPS) * (1000 / EVERY_MS))
  collectGarbage()
  const { rssMiB } = memoryNow()
  let peakRssMiB = rssMiB
  const sampler = setInterval(() => (peakRssMiB = Math.max(peakRssMiB, memoryNow().rssMiB)), SAMPLE_MS)
  try {
    const blocks = [benchRows('r', streams, tokens, null)]
    const run = await runOurs({ url, load: { openMilliRps: RATE_RPS * 1000 }, blocks })
    return { ...run, peakRssMiB, rssMiB }
  } finally {
    clearInterval(sampler)
  }
}

function figures(streams: number, run: Awaited<ReturnType<typeof measured>>, truths: ReadonlyMap<string, Truth>) {
  const peak = peakInFlight(truths.values())
  const failed = [...run.failures].map(([code, count]) => `${count} × ${code}`).join(', ')
  const errors = spreadOf(
    run.times.map(({ id, sentUs, firstUs }) => {
      const truth = truths.get(id)
      return Math.abs(firstUs - sentUs - ((truth?.firstUs ?? Number.NaN) - (truth?.receivedUs ?? Number.NaN))) / 1000
    }),
  )
  const kibibytes = ((run.peakRssMiB - run.rssMiB) * 1024) / streams
  const none = { reference: null, compared: '', goal: '', isMet: null }
  const complete: Figure = {
    what: 'streams in flight at once (by the server), and how they ended',
    ours: `${peak.toLocaleString('en')}; ${failed === '' ? 'all complete' : failed}`,
    reference: null,
    compared: '',
    goal: '10,000, all complete',
    isMet: peak >= 10_000 && failed === '',
  }
  return [
    complete,
    { ...none, what: 'memory a stream in flight, KiB (rise of RSS to its peak)', ours: kibibytes.toFixed(1) },
    {
      ...none,
      what: `TTFT error with them at ${RATE_RPS} arrivals/s, p50 / p99, ms`,
      ours: `${errors.p50.toFixed(3)} / ${errors.p99.toFixed(3)}`,
    },
  ]
}

await benchCommand({ streams: 10_000 }, async (options) => {
  await using server = await startTruthServer({ firstUs: 1_000_000, everyUs: EVERY_MS * 1000 })
  const streams = mostStreams(options.streams)
  // Code and pools grow before, so that what is counted is the streams'.
  await runOurs({ url: server.url, load: { openMilliRps: 200_000 }, blocks: [benchRows('r', 200, 2, 'first')] })
  await server.log()
  const run = await measured(streams, server.url)
  return figures(streams, run, (await server.log()).requests)
})
