// Token events taken when they come as fast as the machine goes, beside bare JSON.parse of the same events' texts and the minimal client
// in C, in turn: `npm run bench -- flood [--tokens 2000] [--requests 600] [--rounds 5]`.
import { runFloor } from './native/floor.ts'
import type { TruthServer } from './native/truth-server.ts'
import { startTruthServer } from './native/truth-server.ts'
import type { Figure } from './instrument/figure.ts'
import { benchCommand, NO_FLOOR, progress } from './instrument/figure.ts'
import { mustBeWhole, runOurs } from './instrument/our-client.ts'
import { arrivalsOf, benchRows, INPUT_TOKENS } from './instrument/requests.ts'
import { median, overRounds } from './instrument/spread.ts'

const IN_FLIGHT = 8
const LEAST_RATIO = 0.4

/** Events a second, of the clock and of one core's time. */
interface Speed {
  clock: number
  core: number
}

/** The JSON texts of one answer's events, as the server sends them to this client. */
async function eventTexts(server: TruthServer, tokens: number): Promise<string[]> {
  const prompt = Array.from({ length: INPUT_TOKENS }, (_, index) => 1000 + index)
  const usage = { include_usage: true, continuous_usage_stats: true }
  const body = { prompt, stream: true, max_tokens: tokens, return_token_ids: true, stream_options: usage }
  const headers = { 'content-type': 'application/json', 'x-request-id': 'r-00001' }
  const answer = await fetch(`${server.url}/v1/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
  const lines = (await answer.text()).split('\n')
  return lines.filter((line) => line.startsWith('data: {')).map((line) => line.slice(6))
}

function parseSpeed(texts: readonly string[], answers: number): Speed {
  const before = process.cpuUsage()
  const startMs = performance.now()
  for (let answer = 0; answer < answers; answer += 1) for (const text of texts) JSON.parse(text)
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(before)
  const events = answers * texts.length
  return { clock: events / seconds, core: (events * 1e6) / (user + system) }
}

const thousand = (speeds: readonly Speed[], of: keyof Speed) => speeds.map((speed) => speed[of] / 1000)

function show(speeds: readonly Speed[]): string {
  return `${overRounds(thousand(speeds, 'clock'), 0)}; ${overRounds(thousand(speeds, 'core'), 0)} a core`
}

function figures(ours: Speed[], bare: Speed[], floor: Speed[], isNative: boolean): Figure[] {
  const ratio = (theirs: Speed[], of: keyof Speed) =>
    median(ours.map((speed, round) => speed[of] / (theirs[round]?.[of] ?? Number.NaN)))
  const clock = ratio(bare, 'clock')
  const floorRatio = floor.length === 0 ? '' : `× ${ratio(floor, 'core').toFixed(2)} a core`
  return [
    {
      what: 'events taken flooded, thousand a second; reference: bare JSON.parse of the same',
      ours: show(ours),
      reference: show(bare),
      compared: `× ${clock.toFixed(2)}; × ${ratio(bare, 'core').toFixed(2)} a core`,
      goal: `≥ × ${LEAST_RATIO}`,
      // A server in Node is slower than what it measures.
      isMet: isNative ? clock >= LEAST_RATIO : null,
    },
    {
      what: 'events taken flooded, thousand a second; reference: the minimal client in C',
      ours: show(ours),
      reference: floor.length === 0 ? NO_FLOOR : show(floor),
      compared: floorRatio,
      goal: '',
      isMet: null,
    },
  ]
}

await benchCommand({ tokens: 2000, requests: 600, rounds: 5 }, async ({ tokens, requests, rounds }) => {
  await using server = await startTruthServer({ firstUs: 1000, everyUs: 0 })
  const texts = await eventTexts(server, tokens)
  const rows = benchRows('r', requests, tokens, null)
  const [ours, bare, floor]: [Speed[], Speed[], Speed[]] = [[], [], []]
  for (let round = 0; round <= rounds; round += 1) {
    const parsed = parseSpeed(texts, requests)
    const inC = await runFloor({
      port: server.port,
      arrivals: arrivalsOf(rows, 1000, 0),
      connections: IN_FLIGHT,
      inFlight: IN_FLIGHT,
    })
    const run = mustBeWhole(
      await runOurs({ url: server.url, load: { closedConcurrency: IN_FLIGHT }, blocks: [rows], countsOnly: true }),
    )
    if (run.events !== requests * tokens) throw new Error(`${run.events} of ${requests * tokens} events were seen`)
    // The first round compiles the code.
    if (round === 0) continue
    const speedOf = ({ events, cpuUs, wallUs }: typeof run) => ({
      clock: (events * 1e6) / wallUs,
      core: (events * 1e6) / cpuUs,
    })
    bare.push(parsed)
    ours.push(speedOf(run))
    if (inC) floor.push(speedOf(inC))
    progress(`round ${round} of ${rounds}: ${show(ours.slice(-1))}; JSON.parse ${show(bare.slice(-1))}`)
  }
  return figures(ours, bare, floor, server.isNative)
})
