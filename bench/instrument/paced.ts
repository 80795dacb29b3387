import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { dueUs } from '../../src/core/kernel/point.ts'
import { runFloor } from '../native/floor.ts'
import type { Truth } from '../native/truth-server.ts'
import { startTruthServer } from '../native/truth-server.ts'
import { progress } from './figure.ts'
import type { ClientRun } from './our-client.ts'
import { mustBeWhole, runOurs } from './our-client.ts'
import { arrivalsOf, benchRows } from './requests.ts'
import type { Spread } from './spread.ts'
import { spreadOf } from './spread.ts'

/** What one client measured in one round. An error is |reported value − the server's|, milliseconds. */
export interface PacedRound {
  ttftErrorMs: Spread
  e2eErrorMs: Spread
  sendLagMs: Spread
  /** Requests a second between the first and the last that the server received. */
  sentRps: number
  cpuUsPerEvent: number
}

export interface PacedRate {
  rateRps: number
  ours: PacedRound[]
  /** As many rounds, or none where there is no C compiler. */
  floor: PacedRound[]
}

export interface PacedOrder {
  ratesRps: readonly number[]
  /** Of arrivals in a round, after a second of warm-up; longer where that would be too few requests for a p99. */
  seconds: number
  rounds: number
}

export const TOKENS = 64
/** First token after 50 ms, a token each 10 ms. */
export const PACE = { firstUs: 50_000, everyUs: 10_000 }
const WARMUP_US = 1_000_000
const LEAST_REQUESTS = 300

/** Both clients in turn on the same due times, the one that goes first changing from round to round. */
export async function measurePaced(order: PacedOrder): Promise<PacedRate[]> {
  await using server = await startTruthServer(PACE)
  keepToFirstProcessor()
  const measured = order.ratesRps.map((rateRps): PacedRate => ({ rateRps, ours: [], floor: [] }))
  // A point lasts minutes: what is measured is a client whose code is compiled.
  await oursAt(server.url, 200, 2, 'first')
  await server.log()
  for (let round = 0; round < order.rounds; round += 1) {
    for (const rate of measured) {
      const seed = `${rate.rateRps} ${round}`
      const seconds = Math.max(order.seconds, LEAST_REQUESTS / rate.rateRps)
      const ours = async () => {
        const run = await oursAt(server.url, rate.rateRps, seconds, seed)
        rate.ours.push(roundOf(run, (await server.log()).requests))
      }
      const floor = async () => {
        const run = await floorAt(server.port, rate.rateRps, seconds, seed)
        const { requests } = await server.log()
        if (run) rate.floor.push(mustBeCausal(roundOf(run, requests), run, requests))
      }
      for (const client of round % 2 === 0 ? [floor, ours] : [ours, floor]) await client()
      progress(
        `round ${round + 1} of ${order.rounds}, ${rate.rateRps}/s: ${show(rate.ours)}; floor ${show(rate.floor)}`,
      )
    }
  }
  return measured
}

/** Of this process the main thread alone, as the minimal client does. Without the program, or a second processor, nothing changes. */
function keepToFirstProcessor(): void {
  if (availableParallelism() > 1) spawnSync('taskset', ['-cp', '0', String(process.pid)])
}

/** Both clients send rows in order: a warm-up row that were due after the cohort's first would hold it up. */
function rowsFor(rateRps: number, seconds: number, seed: string) {
  const drawn = benchRows('w', Math.ceil(rateRps), TOKENS, seed)
  const warmup = drawn.filter(({ offsetUs }) => dueUs(offsetUs, rateRps * 1000) < WARMUP_US)
  return { warmup, rows: benchRows('r', Math.ceil(rateRps * seconds), TOKENS, seed) }
}

async function oursAt(url: string, rateRps: number, seconds: number, seed: string): Promise<ClientRun> {
  const { warmup, rows } = rowsFor(rateRps, seconds, seed)
  const load = { openMilliRps: rateRps * 1000 }
  return mustBeWhole(await runOurs({ url, load, warmup, warmupUs: WARMUP_US, blocks: [rows] }))
}

async function floorAt(port: number, rateRps: number, seconds: number, seed: string): Promise<ClientRun | null> {
  const { warmup, rows } = rowsFor(rateRps, seconds, seed)
  const milliRps = rateRps * 1000
  const arrivals = [...arrivalsOf(warmup, milliRps, -WARMUP_US), ...arrivalsOf(rows, milliRps, 0)]
  const inFlight = (rateRps * (PACE.firstUs + TOKENS * PACE.everyUs)) / 1e6
  return runFloor({ port, arrivals, connections: 8 + Math.ceil(1.5 * inFlight) })
}

function roundOf(run: ClientRun, truths: ReadonlyMap<string, Truth>): PacedRound {
  const received: number[] = []
  const errors = run.times.map((time) => {
    const truth = truths.get(time.id)
    if (truth?.tokens !== TOKENS) throw new Error(`the truth server does not know ${time.id}`)
    const ttftUs = time.firstUs - time.sentUs - (truth.firstUs - truth.receivedUs)
    const e2eUs = time.lastUs - time.sentUs - (truth.lastUs - truth.receivedUs)
    received.push(truth.receivedUs)
    return { ttftMs: Math.abs(ttftUs) / 1000, e2eMs: Math.abs(e2eUs) / 1000 }
  })
  return {
    ttftErrorMs: spreadOf(errors.map(({ ttftMs }) => ttftMs)),
    e2eErrorMs: spreadOf(errors.map(({ e2eMs }) => e2eMs)),
    sendLagMs: spreadOf(run.times.map(({ dueUs, sentUs }) => (sentUs - dueUs) / 1000)),
    sentRps: ((received.length - 1) * 1e6) / (Math.max(...received) - Math.min(...received)),
    cpuUsPerEvent: run.cpuUs / run.events,
  }
}

/** The floor's stamps are read before the write and after the read: if one lies on the wrong side of the server's, clocks or ids do not fit. */
function mustBeCausal(round: PacedRound, run: ClientRun, truths: ReadonlyMap<string, Truth>): PacedRound {
  for (const { id, sentUs, firstUs, lastUs } of run.times) {
    const truth = truths.get(id)
    if (!truth || sentUs > truth.receivedUs || firstUs < truth.firstUs || lastUs < truth.lastUs) {
      throw new Error(`${id} was seen before it was sent: the clocks of server and client do not compare`)
    }
  }
  return round
}

function show(rounds: readonly PacedRound[]): string {
  const last = rounds.at(-1)
  if (!last) return 'none'
  const { ttftErrorMs, e2eErrorMs, sendLagMs, cpuUsPerEvent } = last
  const pair = ({ p50, p99 }: Spread) => `${p50.toFixed(3)} / ${p99.toFixed(3)}`
  return `ttft ${pair(ttftErrorMs)}, e2e ${pair(e2eErrorMs)}, lag ${pair(sendLagMs)} ms, ${cpuUsPerEvent.toFixed(1)} µs`
}
