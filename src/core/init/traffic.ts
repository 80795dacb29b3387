import { EXIT, GateError } from '../kernel/errors.ts'
import { showNumber } from '../manifest/finding.ts'
import { plainText } from '../report/escape.ts'
import { drawnFragment, replayedFragment } from '../schedule/trace/profile/manifest-fragment.ts'
import type { ManifestFragment } from '../schedule/trace/profile/manifest-fragment.ts'
import type { TraceProfile } from '../schedule/trace/profile/trace-profile.ts'
import { threeClasses } from './three-classes.ts'

/** What requests are sent: classes, how many of each and when, and what else is known of them. */
export interface Traffic {
  fragment: ManifestFragment
  /** Extension blocks are drawn; a trace's requests are as many as they are. */
  extensionRequests: number
  /** Of the shortest prompt that is sent. */
  leastInputTokens: number
  /** How many of a prompt's tokens tell it from all others. */
  ownTokens: number
  /** The share of the prompts' blocks that came before; null where it is not known. */
  reuseShare: number | null
  /** In its fullest window, a minute wide where there are enough of them; null where it is not known. */
  peak: { rps: number; seconds: number | null } | null
  /** Where it is from, as sentences for people. */
  origin: readonly string[]
}

/** Below it a replayed trace is too short for a queue to show its trend. */
const FEWEST_REPLAYED = 1000
/** Below it a share or the gaps' variation is little more than chance. */
const FEWEST_TOLD = 100

export interface TraceAnswer {
  profile: TraceProfile
  /** As the user named it. */
  file: string
  sha256: string
  /** Its requests themselves, instead of classes drawn from a seed. */
  isReplayed: boolean
}

/** Traffic of three usual kinds, for a model of that context in tokens. */
export function usualTraffic(longest: number, ownTokens: number): Traffic {
  const fragment = threeClasses(longest)
  return {
    fragment,
    extensionRequests: 2000,
    leastInputTokens: Math.min(...fragment.workload.map(({ input_tokens: tokens }) => tokens)),
    ownTokens,
    reuseShare: null,
    peak: null,
    origin: [
      'EDIT: three usual kinds of requests. Take lengths and shares from your traffic, or begin anew by --from-trace.',
    ],
  }
}

/**
 * Traffic fitted to a trace: its classes, or its own requests, its arrival law, its reuse of prompts, its fullest minute. Throws GateError
 * `trace_unfit` (exit 4) for one that no schedule can be made of.
 */
export function tracedTraffic(trace: TraceAnswer, ownTokens: number): Traffic {
  const { profile, file, sha256, isReplayed } = trace
  const fragment = isReplayed ? replayed(trace) : drawn(trace)
  const inputs = fragment.workload.map(({ input_tokens: tokens }) => tokens)
  const leastInputTokens = isReplayed ? profile.firstRequests.leastInputTokens : Math.min(...inputs)
  if (leastInputTokens < ownTokens) {
    const message = `prompts of ${showNumber(leastInputTokens)} tokens cannot be told from each other: ${ownTokens} are needed`
    throw unfit(file, message, 'take such rows out of the trace')
  }
  const name = plainText(file)
  return {
    fragment,
    extensionRequests: 0,
    leastInputTokens,
    ownTokens,
    reuseShare: profile.reuse?.unlimitedHitShare ?? null,
    peak: peakOf(profile),
    origin: [
      `From ${name}: ${requestsText(profile.requests)}, ${profile.format}, sha256:${sha256}.`,
      ...(profile.requests < FEWEST_TOLD
        ? ['EDIT: so few requests tell little of lengths, shares, gaps and rates. Take a longer trace.']
        : []),
      isReplayed
        ? 'Its requests themselves are sent: of a class, lengths are the most that it takes.'
        : 'Each class has its mean lengths, so that the load in tokens is the trace’s. Rename classes by what they do.',
    ],
  }
}

function drawn({ profile, file }: TraceAnswer): ManifestFragment {
  const fragment = drawnFragment(profile)
  if (fragment !== null) return fragment
  const message = 'its smallest class is too rare: no schedule holds as many requests as it needs for a floor of 2,000'
  throw unfit(file, message, 'give the rare requests another class in the trace, or leave them out')
}

function replayed({ profile, file, sha256 }: TraceAnswer): ManifestFragment {
  const fragment = replayedFragment(profile, { file, sha256 })
  const hint = 'leave --replay-trace out: classes are then drawn from a seed'
  if (fragment === null) throw unfit(file, 'its requests all came at the same time: there is no rate to scale', hint)
  const { requests } = profile.firstRequests
  if (requests >= FEWEST_REPLAYED) return fragment
  throw unfit(file, `it has ${requestsText(requests)}; ${showNumber(FEWEST_REPLAYED)} are needed`, hint)
}

function requestsText(count: number): string {
  return `${showNumber(count)} ${count === 1 ? 'request' : 'requests'}`
}

/** Of whole minutes, of the widest shorter windows where there are too few minutes, or of the whole where there are too few of any. */
function peakOf({ arrivals: { windows, meanRps } }: TraceProfile): Traffic['peak'] {
  const window = windows.findLast(({ seconds }) => seconds <= 60)
  if (window === undefined) return meanRps === null ? null : { rps: meanRps, seconds: null }
  const { meanRequests, peakOverMean, seconds } = window
  return { rps: (meanRequests / seconds) * peakOverMean, seconds }
}

function unfit(file: string, message: string, hint: string): GateError {
  return new GateError({
    code: 'trace_unfit',
    message: `no manifest can be made of the trace ${file}: ${message}`,
    hint,
    exitCode: EXIT.invalid,
  })
}
