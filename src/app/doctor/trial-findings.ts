import type { Dialect } from '../../core/dialect/dialect.ts'
import type { DoctorFinding } from '../doctor.ts'
import { found } from './endpoint-findings.ts'
import type { Probed } from './endpoint-findings.ts'
import type { Spoken } from './generation.ts'
import type { Trials } from './trials.ts'

/** What the small generations showed. */
export function trialFindings(dialect: Dialect, trials: Trials): DoctorFinding[] {
  return [...routeFindings(dialect, trials), ...requestFindings(dialect, trials), ...cacheFindings(dialect, trials)]
}

/** Whether cached tokens are told with the answers. */
export function tellsCachedTokens({ first, again }: Trials): boolean {
  return [first, again].some((spoken) => (spoken?.answer?.cachedTokens ?? null) !== null)
}

function routeFindings(dialect: Dialect, trials: Trials): DoctorFinding[] {
  const { exact, plain, chat, exactTokens } = trials
  const streams = exact.failure === null ? exact : plain?.failure === null ? plain : null
  const onlyPlain = streams !== null && streams !== exact
  const findings = [
    found(
      dialect,
      'generation.completions',
      exact.failure === null
        ? { pass: `${dialect.paths.completions} streams` }
        : {
            fail: onlyPlain
              ? `streams only without the dialect's own fields; with them: ${exact.failure}`
              : exact.failure,
          },
    ),
    ...(chat === null
      ? []
      : [
          found(
            dialect,
            'generation.chat',
            chat.failure === null ? { pass: `${dialect.paths.chat} streams` } : { unknown: chat.failure },
          ),
        ]),
  ]
  if (streams?.answer) {
    const { outputTokens } = streams.answer
    findings.push(
      found(dialect, 'generation.exact_length', lengthOf(dialect, outputTokens, exactTokens)),
      found(dialect, 'generation.usage', usageOf(outputTokens)),
      found(dialect, 'generation.continuous_usage', continuousOf(dialect, streams)),
      found(dialect, 'generation.token_ids', idsOf(dialect, streams)),
    )
  }
  return findings
}

function lengthOf({ request }: Dialect, came: number | null, asked: number): Probed {
  if (came === null) return { unknown: 'how many tokens came is not told' }
  if (request.ignoreEos === null)
    return { unknown: `no field that forces it is known; ${came} of ${asked} tokens came` }
  return came === asked ? { pass: `${asked} of ${asked} tokens came` } : { fail: `${came} of ${asked} tokens came` }
}

function usageOf(came: number | null): Probed {
  return came === null ? { fail: 'neither usage nor token ids came' } : { pass: `${came} output tokens told` }
}

function continuousOf({ request }: Dialect, { usageChunks }: Spoken): Probed {
  if (usageChunks > 1) return { pass: `on ${usageChunks} chunks` }
  return { unknown: request.continuousUsage === null ? 'no field for it is known' : 'asked for, and it did not come' }
}

function idsOf({ request }: Dialect, { answer }: Spoken): Probed {
  if (request.returnTokenIds === null) return { unknown: 'no field for it is known' }
  return (answer?.outputIds ?? null) !== null
    ? { pass: 'on each chunk' }
    : { unknown: 'asked for, and they did not come' }
}

function requestFindings(dialect: Dialect, { first, promptTokens, named, strange }: Trials): DoctorFinding[] {
  const findings: DoctorFinding[] = []
  if (!dialect.request.promptTokenIds) {
    findings.push(
      found(dialect, 'requests.token_id_prompts', { unknown: `${dialect.title} is not known to take them` }),
    )
  } else if (first !== null) {
    findings.push(found(dialect, 'requests.token_id_prompts', promptOf(first, promptTokens)))
  }
  if (dialect.requestIdHeader === null) {
    findings.push(found(dialect, 'requests.id_header', { pass: 'none is sent: this engine refuses one' }))
  } else if (named !== null) {
    const { requestIdHeader: header } = dialect
    const probed: Probed =
      named.failure === null ? { pass: `${header} is taken` } : { fail: `${header}: ${named.failure}` }
    findings.push(found(dialect, 'requests.id_header', probed))
  }
  if (strange !== null) findings.push(found(dialect, 'requests.unknown_fields', strangeOf(dialect, strange)))
  return findings
}

function promptOf({ failure, answer }: Spoken, asked: number): Probed {
  if (failure !== null) return { fail: failure }
  const counted = answer?.inputTokens ?? null
  if (counted === null) return { unknown: 'taken; how many were counted is not told' }
  return counted === asked
    ? { pass: `${asked} ids count as ${counted} tokens` }
    : { fail: `${asked} ids count as ${counted}` }
}

function strangeOf({ request }: Dialect, { failure, status }: Spoken): Probed {
  const does = failure === null ? 'ignored' : status !== null && status >= 400 && status < 500 ? 'refused' : null
  if (does === null) return { unknown: failure ?? 'not told' }
  const known = request.unknownFields
  return known === null || known === does ? { pass: does } : { fail: `${does}, where the table says ${known}` }
}

function cacheFindings(dialect: Dialect, trials: Trials): DoctorFinding[] {
  const { first, again, salted, reset, afterReset, promptTokens } = trials
  if (first === null || again === null) return []
  const cached = again.answer?.cachedTokens ?? null
  const findings = [found(dialect, 'cache.cached_tokens', cachedOf(again, promptTokens))]
  const isColdNow = (spoken: Spoken | null): Probed => {
    const now = spoken?.answer?.cachedTokens ?? null
    if (now === null || cached === null || cached === 0) return { unknown: 'no hit to hold it against is told' }
    return now === 0
      ? { pass: `${cached} cached tokens became 0` }
      : { fail: `${now} tokens still came from the cache` }
  }
  if (dialect.request.cacheSalt !== null) {
    const probed = salted?.failure ? { fail: salted.failure } : isColdNow(salted)
    findings.push(found(dialect, 'cache.salt', probed))
  }
  if (dialect.reset === null) {
    findings.push(found(dialect, 'cache.reset', { unknown: `${dialect.title} is not known to have one` }))
  } else if (reset !== null) {
    findings.push(found(dialect, 'cache.reset', resetOf(reset, afterReset, isColdNow)))
  }
  return findings
}

function cachedOf({ failure, answer }: Spoken, promptTokens: number): Probed {
  if (failure !== null) return { fail: failure }
  const cached = answer?.cachedTokens ?? null
  if (cached === null) return { unknown: 'not told' }
  return cached > 0
    ? { pass: `${cached} of ${promptTokens} when the prompt was repeated` }
    : { unknown: 'told, and 0 when the prompt was repeated' }
}

function resetOf(
  { state, text, said }: NonNullable<Trials['reset']>,
  after: Spoken | null,
  isColdNow: (spoken: Spoken | null) => Probed,
): Probed {
  const words = said.trim() === '' ? text : `${text}: ${said.slice(0, 200)}`
  if (state === 'absent') return { unknown: text }
  if (state === 'refused') return { fail: words }
  const cold = isColdNow(after)
  if (state === 'unknown') return 'pass' in cold ? cold : { unknown: words }
  return 'fail' in cold ? { fail: `it says done, and ${cold.fail}` } : { pass: 'pass' in cold ? cold.pass : text }
}
