import type { Finding } from '../manifest/finding.ts'
import { readManifest } from '../manifest/read.ts'
import { uniqueTokens } from '../schedule/unique-tokens.ts'
import { answersOf, flagOf } from './answers.ts'
import type { Answers, GivenAnswers } from './answers.ts'
import { manifestText } from './manifest-text.ts'
import { refusedAnswer } from './refusal.ts'
import { sizedLoad } from './sized-load.ts'
import { USUAL_CONTEXT } from './three-classes.ts'
import { tracedTraffic, usualTraffic } from './traffic.ts'
import type { TraceAnswer } from './traffic.ts'

export interface Starter {
  text: string
  /** What a run would be told of it; none is an error. */
  warnings: readonly Finding[]
  answers: Answers
}

/**
 * The first manifest: good enough to be run. Throws GateError `usage` (exit 64) that names the flag where a rule refuses an answer, and
 * `trace_unfit` (exit 4).
 */
export function starter(given: GivenAnswers, trace: TraceAnswer | null): Starter {
  const answers = answersOf(given)
  const { tokenIds, maxModelLen } = answers.model
  const ownTokens = tokenIds[1] - tokenIds[0] < NARROWEST ? NARROWEST : uniqueTokens(tokenIds)
  const traffic =
    trace === null ? usualTraffic(maxModelLen ?? USUAL_CONTEXT, ownTokens) : tracedTraffic(trace, ownTokens)
  const load = sizedLoad(traffic, answers.ratesRps, answers.placement.replicas)
  const text = manifestText(answers, traffic, load)
  const { findings } = readManifest(text, { level: 'deployable' })
  const refused = findings.find(({ severity }) => severity === 'error')
  if (refused === undefined) return { text, warnings: findings, answers }
  throw refusedAnswer(`${answerAt(refused.path)}: ${refused.message}`, refused.hint)
}

/** Fewer ids tell no prompts apart, and a rule says so. */
const NARROWEST = 16

/** Which answer a finding is about, by where it stands. */
const PLACES: readonly [path: RegExp, name: keyof GivenAnswers | 'from-trace'][] = [
  [/^model\.id/, 'model'],
  [/^model\.revision/, 'modelRevision'],
  [/^model\.tokenizer_revision/, 'tokenizerRevision'],
  [/^model\.precision/, 'precision'],
  [/^model\.prompt_token_ids/, 'promptTokenIds'],
  [/^workload\[\d+\]\.input_tokens/, 'maxModelLen'],
  [/^workload|^client/, 'from-trace'],
  [/^engine\.version/, 'engineVersion'],
  [/^engine\.placement/, 'replicas'],
  [/^engine\.deploy\.image/, 'image'],
  [/^engine\.deploy\.urls/, 'endpoint'],
  [/^engine\.deploy\.weights/, 'weights'],
  [/^engine\.deploy\.arg/, 'words'],
  [/^engine\.deploy/, 'replicas'],
  [/^sweep/, 'rates'],
  [/^gate/, 'gateId'],
]

function answerAt(path: string): string {
  const name = PLACES.find(([pattern]) => pattern.test(path))?.[1]
  return name === undefined ? path : flagOf(name)
}

/** Answers that no rule has anything against: those of a question are judged among them. */
const SAMPLE: GivenAnswers = {
  engine: 'vllm',
  engineVersion: '1.0.0',
  image: `sample@sha256:${'0'.repeat(64)}`,
  model: 'sample',
  modelRevision: '0'.repeat(40),
}

/** Why an answer alone would be refused, in a sentence; null where nothing speaks against it. */
export function refusalOf(answer: GivenAnswers): string | null {
  const { image: _, ...others } = SAMPLE
  const isDeploy = answer.endpoint !== undefined || (answer.words !== undefined && answer.image === undefined)
  try {
    starter({ ...(isDeploy ? others : SAMPLE), ...answer }, null)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
