import { showNumber } from '../manifest/finding.ts'
import { MOST_REQUESTS } from '../manifest/rules/samples.ts'
import type { Traffic } from './traffic.ts'

/** A point shorter than this does not settle, seconds. */
const SHORTEST_POINT = 300
/** What a replayed trace of few requests may make of it at its highest rate. */
const SHORTEST_REPLAY = 75
/** A schedule's bound, less an extension. */
const MOST_SCHEDULED = MOST_REQUESTS - 10_000
/** The usual longest point, and the longest that is written here. */
const USUAL_LONGEST = 3600
const LONGEST_POINT = 14_400
/** Requests that a point's floor of successes is asked of, and what errors may take of them. */
const FLOOR = 2000
const ERRORS_MAX = 0.01
/** A KV block of most engines: shorter prefixes hit nothing. */
const BLOCK_TOKENS = 16
const USUAL_PREFIX_TOKENS = 256
/** Of what the prefixes are, so much must hit: less says that hits were lost. */
const HIT_MARGIN = 0.85
/** Below it warm is no other state than cold, whose hit rate may be 0.01. */
const LEAST_HIT_RATE = 0.02

export interface SizedLoad {
  initialRequests: number
  counts: Readonly<Record<string, number>>
  minimumSeconds: number
  maximumSeconds: number
  floor: number
  ratesRps: readonly number[] | 'auto'
  /** Why these rates, for people. */
  ratesNote: string
  /** Null: the prompts share too little. */
  warm: { tokens: number; hitRateMin: number } | null
}

/** How many requests, how long, at what rates and with what prefixes a traffic is measured. `asked`: the user's own rates. */
export function sizedLoad(traffic: Traffic, asked: readonly number[] | 'auto' | null, replicas: number): SizedLoad {
  const { client } = traffic.fragment
  const isReplayed = client.arrival_pattern === 'trace'
  const base = client.initial_scheduled_requests
  const { rates, note } =
    asked === null ? ladder(traffic, base) : { rates: asked, note: AS_ASKED[asked === 'auto' ? 'auto' : 'list'] }
  const [lowest, highest] = rates === 'auto' ? room(traffic, base, replicas) : [Math.min(...rates), Math.max(...rates)]
  // A seeded schedule grows with its highest rate; a trace has the requests that it has.
  const wanted = Math.ceil((highest * SHORTEST_POINT) / base - 1e-9)
  const times = isReplayed ? 1 : Math.max(1, Math.min(wanted, Math.floor(MOST_SCHEDULED / base)))
  const counts = Object.entries(client.class_schedule_counts).map(([name, count]) => [name, count * times] as const)
  const initialRequests = base * times
  const smallest = Math.min(...counts.map(([, count]) => count))
  return {
    initialRequests,
    counts: Object.fromEntries(counts),
    minimumSeconds: Math.min(SHORTEST_POINT, Math.floor((initialRequests / highest) * 1000) / 1000),
    maximumSeconds: Math.max(USUAL_LONGEST, Math.ceil(initialRequests / lowest / SHORTEST_POINT) * SHORTEST_POINT),
    floor: Math.min(FLOOR, Math.max(1, Math.floor(smallest * (1 - ERRORS_MAX)))),
    ratesRps: rates,
    ratesNote: note,
    warm: warmPrefixes(traffic),
  }
}

const AUTO = 'A closed-loop saturation test finds the rates before the sweep; a list of them is tested as it stands.'
const AS_ASKED = { auto: AUTO, list: 'As they were asked for.' } as const
/** What a replica of an engine mostly carries lies between, requests a second: `auto` has that room at least. */
const A_REPLICA_RPS = [4, 54] as const
/** What a client is sure to be fit for: it is calibrated for the highest rate that `auto` may ask (docs/decisions/calibration.md). */
const CLIENT_TOKENS_A_SECOND = 20_000

function room({ fragment }: Traffic, requests: number, replicas: number): [lowest: number, highest: number] {
  const [low, high] = [A_REPLICA_RPS[0] * replicas, A_REPLICA_RPS[1] * replicas]
  const answer = fragment.workload.reduce((sum, { mix, output_tokens: tokens }) => sum + mix * tokens, 0)
  const readable = CLIENT_TOKENS_A_SECOND / answer
  const least = requests / SHORTEST_POINT
  // A schedule grows by whole times of its requests, and its highest rate with it.
  const fitting = Math.floor(readable / least) * least
  const most = fragment.client.arrival_pattern === 'trace' ? requests / SHORTEST_REPLAY : Math.min(high, fitting)
  return [Math.max(low * Math.min(1, readable / high), requests / LONGEST_POINT), Math.max(most, least)]
}

/** From half of the fullest window to a quarter above it. */
const ROUND_PEAK = [0.5, 0.75, 1, 1.25] as const
const STEPS_UP = [1, 1.5, 2, 3] as const

function ladder({ peak: fullest, fragment }: Traffic, requests: number): { rates: number[] | 'auto'; note: string } {
  if (fullest === null) return { rates: 'auto', note: AUTO }
  const { rps: peakRps, seconds } = fullest
  const window = seconds === null ? 'On average' : `In its fullest ${showNumber(seconds)} s`
  const peak = `${window} the trace has ${showNumber(Number(peakRps.toPrecision(3)))} requests/s`
  const least = requests / LONGEST_POINT
  if (peakRps * ROUND_PEAK[0] < least) {
    const note = `${peak}: too few to measure at. EDIT: the lowest is what ${showNumber(requests)} requests take four hours for.`
    return { rates: STEPS_UP.map((step) => exact(least * step, Math.ceil)), note }
  }
  const most =
    fragment.client.arrival_pattern === 'trace' ? requests / SHORTEST_REPLAY : MOST_REQUESTS / SHORTEST_POINT / 2
  if (peakRps > most) {
    const note = `${peak}: too many for one schedule. EDIT: these are as high as can be measured.`
    return { rates: ROUND_PEAK.map((share) => exact(most * share, Math.floor)), note }
  }
  return {
    rates: ROUND_PEAK.map((share) => exact(peakRps * share, Math.ceil)),
    note: `${peak}; EDIT for less than all of it.`,
  }
}

/** To three digits, and whole milli-requests. */
function exact(rate: number, round: (value: number) => number): number {
  const step = Math.max(0.001, 10 ** (Math.floor(Math.log10(rate)) - 2))
  return Number((round(rate / step - (round === Math.ceil ? 1e-9 : -1e-9)) * step).toFixed(3))
}

/** As many tokens of each prompt as the trace's share of reuse is of them all, whole blocks; the shortest prompt keeps some of its own. */
function warmPrefixes({ fragment, leastInputTokens, ownTokens, reuseShare }: Traffic): SizedLoad['warm'] {
  const mean = fragment.workload.reduce((sum, { mix, input_tokens: tokens }) => sum + mix * tokens, 0)
  const wanted = reuseShare === null ? USUAL_PREFIX_TOKENS : reuseShare * mean
  const most = Math.min(leastInputTokens / 2, leastInputTokens - ownTokens - 1)
  const tokens = Math.floor(Math.min(wanted, most) / BLOCK_TOKENS) * BLOCK_TOKENS
  const hitRateMin = Math.floor((tokens / mean) * HIT_MARGIN * 1000) / 1000
  return hitRateMin < LEAST_HIT_RATE ? null : { tokens, hitRateMin }
}
