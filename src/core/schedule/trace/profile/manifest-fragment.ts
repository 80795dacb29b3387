import { MOST_REQUESTS } from '../../../manifest/rules/samples.ts'
import { yamlScalar } from '../../../manifest/yaml-scalar.ts'
import { largestRemainder } from '../../class-mix.ts'
import type { TraceFormat } from '../trace-row.ts'
import type { ArrivalProfile } from './arrival-statistics.ts'
import type { ClassProfile } from './class-profile.ts'
import type { TraceProfile } from './trace-profile.ts'

/** A class's floor of successes, and what errors may take of it. */
const REQUESTS_OF_SMALLEST_CLASS = 2_100
/** Cutoffs are nobody's but the user's; these stand in for them. */
const PLACEHOLDER = { ttftFloorMs: 500, ttftMsPerInputToken: 0.5, tpotMs: 50 }

type SuggestedArrivals =
  | { arrival_pattern: 'poisson' | 'constant' }
  | { arrival_pattern: 'gamma'; gamma: { shape: number } }
  | { arrival_pattern: 'trace'; trace: { file: string; sha256: string; format: TraceFormat } }

/** The sections of a manifest that a trace says something of, in the manifest's own names. */
export interface ManifestFragment {
  client: SuggestedArrivals & {
    initial_scheduled_requests: number
    class_schedule_counts: Record<string, number>
    request_timeout_seconds: number
  }
  workload: SuggestedClass[]
}

export interface SuggestedClass {
  name: string
  mix: number
  input_tokens: number
  output_tokens: number
  request_ttft_cutoff_ms: number
  request_tpot_cutoff_ms: number
}

/**
 * Classes and gaps drawn from a seed: each class at its mean lengths, its share to a thousandth, as many requests as its smallest class
 * needs for a floor of 2,000 successes, and the arrival pattern whose gaps vary as the trace's. Null where that would be too many requests.
 */
export function drawnFragment({ classes, arrivals }: TraceProfile): ManifestFragment | null {
  const thousandths = largestRemainder(
    classes.map((shape) => shape.requests),
    1000,
  )
  const used = classes.flatMap((shape, index) => {
    const share = thousandths[index] ?? 0
    return share === 0 ? [] : [{ shape, share }]
  })
  const smallest = Math.min(...used.map(({ share }) => share))
  const thousands = Math.ceil(REQUESTS_OF_SMALLEST_CLASS / smallest)
  if (thousands * 1000 > MOST_REQUESTS) return null
  const workload = used.map(({ shape, share }) =>
    suggestedClass(shape, share / 1000, shape.inputTokens.mean, shape.outputTokens.mean),
  )
  return {
    client: {
      ...suggestArrivals(arrivals),
      initial_scheduled_requests: thousands * 1000,
      class_schedule_counts: Object.fromEntries(used.map(({ shape, share }) => [shape.name, share * thousands])),
      request_timeout_seconds: timeoutSeconds(workload),
    },
    workload,
  }
}

/**
 * The trace's first requests themselves, their times scaled and their lengths kept: classes by their upper ends, in the order in which the
 * first that holds both lengths of a request is its class. Null where they all came at once: there is no rate to scale.
 */
export function replayedFragment(
  profile: TraceProfile,
  trace: { file: string; sha256: string },
): ManifestFragment | null {
  const { classes, format, firstRequests } = profile
  if (firstRequests.requests > 1 && firstRequests.spanSeconds === 0) return null
  const used = classes.flatMap((shape, index) => {
    const count = firstRequests.byClass[index] ?? 0
    return count === 0 ? [] : [{ shape, count }]
  })
  const millionths = largestRemainder(
    used.map(({ count }) => count),
    1_000_000,
  )
  const workload = used.map(({ shape }, index) =>
    suggestedClass(shape, (millionths[index] ?? 0) / 1_000_000, shape.inputTokens.to, shape.outputTokens.to),
  )
  return {
    client: {
      arrival_pattern: 'trace',
      trace: { ...trace, format },
      initial_scheduled_requests: firstRequests.requests,
      class_schedule_counts: Object.fromEntries(used.map(({ shape, count }) => [shape.name, count])),
      request_timeout_seconds: timeoutSeconds(workload),
    },
    workload,
  }
}

/** The pattern whose gaps have the trace's CV: even below 0.1, Poisson within 10 % of 1, else gamma of shape 1/CV². */
function suggestArrivals({ gapCv, gammaShape }: ArrivalProfile): SuggestedArrivals {
  if (gapCv === null || (gapCv >= 0.9 && gapCv <= 1.1)) return { arrival_pattern: 'poisson' }
  if (gapCv < 0.1 || gammaShape === null) return { arrival_pattern: 'constant' }
  const shape = Math.min(1000, Math.max(0.01, Number(gammaShape.toPrecision(3))))
  return { arrival_pattern: 'gamma', gamma: { shape } }
}

function suggestedClass({ name }: ClassProfile, mix: number, input: number, output: number): SuggestedClass {
  const { ttftFloorMs, ttftMsPerInputToken, tpotMs } = PLACEHOLDER
  return {
    name,
    mix,
    input_tokens: input,
    output_tokens: output,
    request_ttft_cutoff_ms: Math.max(ttftFloorMs, Math.ceil((input * ttftMsPerInputToken) / 100) * 100),
    request_tpot_cutoff_ms: tpotMs,
  }
}

/** A minute, or what the slowest request that meets its cutoffs may take. */
export function timeoutSeconds(workload: readonly SuggestedClass[]): number {
  const slowest = workload.map(
    (shape) => shape.request_ttft_cutoff_ms + shape.request_tpot_cutoff_ms * shape.output_tokens,
  )
  return Math.max(60, Math.ceil(Math.max(...slowest) / 1000))
}

/** As YAML that goes into a manifest as it stands; the cutoffs say that they are placeholders. */
export function fragmentYaml({ client, workload }: ManifestFragment): string {
  const counts = Object.entries(client.class_schedule_counts).map(
    ([name, count]) => `    ${yamlScalar(name)}: ${count}`,
  )
  return [
    'client:',
    `  arrival_pattern: ${client.arrival_pattern}`,
    ...patternLines(client),
    `  initial_scheduled_requests: ${client.initial_scheduled_requests}`,
    '  class_schedule_counts:',
    ...counts,
    `  request_timeout_seconds: ${client.request_timeout_seconds}`,
    'workload: # no trace holds cutoffs: these are placeholders, set your own',
    ...workload.flatMap((shape) => [
      `  - name: ${yamlScalar(shape.name)}`,
      `    mix: ${shape.mix}`,
      `    input_tokens: ${shape.input_tokens}`,
      `    output_tokens: ${shape.output_tokens}`,
      `    request_ttft_cutoff_ms: ${shape.request_ttft_cutoff_ms} # set your own`,
      `    request_tpot_cutoff_ms: ${shape.request_tpot_cutoff_ms} # set your own`,
    ]),
  ].join('\n')
}

/** What belongs to the arrival pattern alone, as lines below `client`. */
export function patternLines(client: SuggestedArrivals): string[] {
  switch (client.arrival_pattern) {
    case 'gamma':
      return [`  gamma: { shape: ${client.gamma.shape} }`]
    case 'trace':
      return [
        '  trace:',
        `    file: ${yamlScalar(client.trace.file)} # relative to the manifest`,
        `    sha256: ${client.trace.sha256}`,
        `    format: ${client.trace.format}`,
      ]
    case 'constant':
    case 'poisson':
      return []
  }
}
