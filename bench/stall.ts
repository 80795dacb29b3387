// A server that neither reads nor writes for three seconds, at a constant rate: what this client reports from due time against the truth:
// `npm run bench -- stall [--rate 50] [--seconds 12]`.
import type { Truth, TruthLog } from './native/truth-server.ts'
import { startTruthServer } from './native/truth-server.ts'
import type { Figure } from './instrument/figure.ts'
import { benchCommand } from './instrument/figure.ts'
import type { ClientTimes } from './instrument/our-client.ts'
import { mustBeWhole, runOurs } from './instrument/our-client.ts'
import { benchRows } from './instrument/requests.ts'
import { nearestRank } from '../src/core/slo/percentile.ts'

const TOKENS = 16
const STALL_US = 3_000_000
const CUTOFF_MS = 1000
/** What a client may be off for a request that the stall held up. */
const MOST_OFF_MS = 50

function summary(valuesMs: readonly number[]): { mean: number; p90: number; over: number } {
  const mean = valuesMs.reduce((sum, value) => sum + value, 0) / valuesMs.length
  const p90 = nearestRank(Float64Array.from(valuesMs).sort(), 0.9) ?? Number.NaN
  return { mean, p90, over: valuesMs.filter((value) => value > CUTOFF_MS).length / valuesMs.length }
}

function truthOf(time: ClientTimes, truths: ReadonlyMap<string, Truth>): Truth {
  const truth = truths.get(time.id)
  if (!truth) throw new Error(`the truth server does not know ${time.id}`)
  return truth
}

function figures(due: number, times: readonly ClientTimes[], { requests, stall }: TruthLog): Figure[] {
  if (!stall) throw new Error('the truth server did not stall')
  const ours = summary(times.map(({ dueUs, firstUs }) => (firstUs - dueUs) / 1000))
  const truth = summary(times.map((time) => (truthOf(time, requests).firstUs - time.dueUs) / 1000))
  const inStall = times.filter(({ dueUs }) => dueUs >= stall.fromUs && dueUs < stall.toUs)
  const shown = inStall.filter((time) => {
    const waitedUs = time.firstUs - time.dueUs
    const offMs = Math.abs(time.firstUs - truthOf(time, requests).firstUs) / 1000
    return waitedUs >= stall.toUs - time.dueUs && offMs <= MOST_OFF_MS
  })
  const line = (what: string, mine: string, theirs: string, compared: string, goal: string, isMet: boolean): Figure => {
    return { what, ours: mine, reference: theirs, compared, goal, isMet }
  }
  const milliseconds = (what: 'mean' | 'p90') => {
    const ratio = ours[what] / truth[what]
    const name = `stall of 3 s: TTFT from due, ${what}, ms; reference: the server’s log`
    const [mine, theirs] = [ours[what].toFixed(0), truth[what].toFixed(0)]
    return line(name, mine, theirs, `× ${ratio.toFixed(3)}`, '× 0.99–1.01', Math.abs(ratio - 1) <= 0.01)
  }
  const share = (value: number) => `${(100 * value).toFixed(1)} %`
  return [
    line(
      'stall of 3 s: requests recorded; reference: due',
      String(times.length),
      String(due),
      '',
      'equal',
      times.length === due,
    ),
    line(
      'stall of 3 s: requests due in it whose TTFT shows it; reference: due in it',
      String(shown.length),
      String(inStall.length),
      '',
      'all',
      shown.length === inStall.length && inStall.length > 0,
    ),
    milliseconds('mean'),
    milliseconds('p90'),
    line(
      'stall of 3 s: share with a TTFT over 1 s; reference: the server’s log',
      share(ours.over),
      share(truth.over),
      '',
      'equal',
      ours.over === truth.over,
    ),
  ]
}

await benchCommand({ rate: 50, seconds: 12 }, async ({ rate, seconds }) => {
  await using server = await startTruthServer({
    firstUs: 50_000,
    everyUs: 10_000,
    stallAfterUs: 4_000_000,
    stallUs: STALL_US,
  })
  const rows = benchRows('r', rate * seconds, TOKENS, null)
  const load = { openMilliRps: rate * 1000 }
  const warmup = benchRows('w', rate, TOKENS, null)
  const run = mustBeWhole(await runOurs({ url: server.url, load, warmup, warmupUs: 1_000_000, blocks: [rows] }))
  return figures(rows.length, run.times, await server.log())
})
