import { DIALECTS, dialectNamed } from '../dialect/choose.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { isHandedOn } from '../dialect/arguments.ts'
import { parseDecimal, parseInteger } from '../record/decimal.ts'
import { quoted } from '../record/refusal.ts'
import { refusedAnswer } from './refusal.ts'
import { SHORTEST_CONTEXT } from './three-classes.ts'

/** What was answered, by flag or to a question: texts, by the flag's name. */
export interface GivenAnswers {
  engine?: string
  engineVersion?: string
  image?: string
  endpoint?: readonly string[]
  /** After `--`: a program and its arguments; with an image, the engine's arguments. */
  words?: readonly string[]
  weights?: string
  model?: string
  modelRevision?: string
  tokenizerRevision?: string
  precision?: string
  maxModelLen?: string
  promptTokenIds?: string
  gpu?: string
  tp?: string
  pp?: string
  replicas?: string
  rates?: string
  gateId?: string
}

type AnsweredDeploy =
  | { kind: 'docker'; image: string; args: readonly string[]; weights: string }
  | { kind: 'process'; argv: readonly string[] }
  | { kind: 'endpoint'; urls: readonly string[] }

export interface Answers {
  gateId: string
  dialect: Dialect
  version: string
  deploy: AnsweredDeploy
  model: {
    id: string
    revision: string
    tokenizerRevision: string
    precision: string
    /** Tokens; null: as long as the classes need. */
    maxModelLen: number | null
    tokenIds: readonly [number, number]
  }
  placement: { tp: number; pp: number; replicas: number; gpus: number }
  /** `h100`; null where the engine has none. */
  gpu: string | null
  /** null: by what is known of the traffic. */
  ratesRps: readonly number[] | 'auto' | null
}

/** The engines that a first manifest is written for; the embedded one has a manifest of its own. */
export const ENGINE_CHOICES: readonly string[] = DIALECTS.filter(({ id }) => id !== 'fixture').map(({ id }) => id)

export const DEFAULTS = { gpu: 'h100', weights: '/data/hf', promptTokenIds: '1000,30000', count: '1' } as const

const TEXT_MAX = 500

/**
 * The answers as values. Throws GateError `usage` (exit 64) with the flags of all that is missing, or with the first that is malformed.
 * Whether a revision, a version or an image is pinned is for the manifest's rules to say.
 */
export function answersOf(given: GivenAnswers): Answers {
  requireAll(given)
  for (const [name, value] of Object.entries(given)) for (const text of [value].flat()) requireLine(name, text)
  const dialect = dialectOf(given.engine ?? '')
  const deploy = deployOf(given)
  const placement = placementOf(given, deploy)
  const id = given.model ?? ''
  const revision = given.modelRevision ?? ''
  const isOwnStart = deploy.kind !== 'endpoint'
  const usualPrecision = !isOwnStart || isHandedOn(dialect, 'model.precision') ? 'bf16' : 'auto'
  return {
    gateId: given.gateId ?? usualGateId(id, placement.gpus, given.gpu ?? DEFAULTS.gpu),
    dialect,
    version: given.engineVersion ?? '',
    deploy,
    model: {
      id,
      revision,
      tokenizerRevision: given.tokenizerRevision ?? revision,
      precision: given.precision ?? usualPrecision,
      maxModelLen: given.maxModelLen === undefined ? null : whole('maxModelLen', given.maxModelLen, SHORTEST_CONTEXT),
      tokenIds: range(given.promptTokenIds ?? DEFAULTS.promptTokenIds),
    },
    placement,
    gpu: placement.gpus === 0 ? null : gpuLabel(given.gpu ?? DEFAULTS.gpu),
    ratesRps: given.rates === undefined ? null : rates(given.rates),
  }
}

/** `modelRevision` → `--model-revision`. */
export function flagOf(name: string): string {
  if (name === 'words') return 'the words after --'
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The ways in which an engine comes to be up, as the message of one that is missing says them. */
const WAYS = '--image NAME@sha256:…, --endpoint URL, or the program after --'

/** What no default stands for, in the order in which it is asked. */
const REQUIRED = ['engine', 'engineVersion', 'model', 'modelRevision'] as const

function requireAll(given: GivenAnswers): void {
  const isUnsaid = given.image === undefined && given.endpoint === undefined && (given.words ?? []).length === 0
  const missing = [
    ...REQUIRED.filter((name) => given[name] === undefined).map(flagOf),
    ...(isUnsaid ? [`how the engine is started (${WAYS})`] : []),
  ]
  if (missing.length === 0) return
  const hint = 'give them, or run it at a terminal, where it asks; see capacity-gate init --help'
  throw refusedAnswer(`not answered: ${missing.join(', ')}`, hint)
}

function requireLine(name: string, text: string | undefined): void {
  if (text === undefined) return
  if (text.trim() === '') throw refusedAnswer(`${flagOf(name)} is empty`, 'leave it out, or give it a value')
  if (text.length > TEXT_MAX) throw refusedAnswer(`${flagOf(name)} has more than ${TEXT_MAX} characters`, 'shorten it')
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed()) return
  throw refusedAnswer(
    `${flagOf(name)} is not one line of text: ${quoted(text)}`,
    'give it without line breaks and control characters',
  )
}

function dialectOf(name: string): Dialect {
  const dialect = dialectNamed(name)
  if (dialect !== undefined && ENGINE_CHOICES.includes(dialect.id)) return dialect
  throw refusedAnswer(
    `--engine: ${quoted(name)} is none of ${ENGINE_CHOICES.join(', ')}`,
    'for another engine that speaks OpenAI’s API take openai; docs/engines.md says what else it can be told',
  )
}

function deployOf(given: GivenAnswers): AnsweredDeploy {
  const { image, endpoint, words = [], weights } = given
  if (image !== undefined && endpoint !== undefined) {
    throw refusedAnswer('--image and --endpoint are two answers to one question', 'give one of them')
  }
  if (image === undefined && weights !== undefined) {
    throw refusedAnswer('--weights is about containers, and no --image is given', 'leave it out')
  }
  if (image !== undefined) return { kind: 'docker', image, args: words, weights: weights ?? DEFAULTS.weights }
  if (endpoint === undefined) return { kind: 'process', argv: words }
  if (words.length === 0) return { kind: 'endpoint', urls: endpoint }
  throw refusedAnswer('--endpoint names an engine that is up, and there is a program after --', 'give one of them')
}

function placementOf(given: GivenAnswers, deploy: AnsweredDeploy): Answers['placement'] {
  const { tp: t = DEFAULTS.count, pp: p = DEFAULTS.count } = given
  const [tp, pp] = [whole('tp', t, 1), whole('pp', p, 1)]
  const urls = deploy.kind === 'endpoint' ? deploy.urls.length : null
  const replicas = whole('replicas', given.replicas ?? String(urls ?? 1), 1)
  if (urls !== null && urls !== replicas) {
    const message = `--replicas is ${replicas}, and --endpoint names ${urls}: each replica has an origin of its own`
    throw refusedAnswer(message, 'give --endpoint once for each replica')
  }
  return { tp, pp, replicas, gpus: given.gpu?.toLowerCase() === 'none' ? 0 : tp * pp * replicas }
}

function gpuLabel(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/.test(text)) return text.toLowerCase()
  throw refusedAnswer(`--gpu: ${quoted(text)} is no label`, 'give letters, digits and -, e.g. h100, or none')
}

const COUNT_MAX = 100_000_000

function whole(name: string, text: string, least: number): number {
  const value = parseInteger(text)
  if (Number.isSafeInteger(value) && value >= least && value <= COUNT_MAX) return value
  throw refusedAnswer(`${flagOf(name)}: ${quoted(text)} is no whole number from ${least} on`, 'give it in digits')
}

function range(text: string): readonly [number, number] {
  const [from = Number.NaN, to = Number.NaN, ...more] = text.split(',').map((part) => parseInteger(part.trim()))
  if (Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from < to && more.length === 0)
    return [from, to]
  throw refusedAnswer(
    `--prompt-token-ids: ${quoted(text)} is no range FROM,TO`,
    'give two whole numbers, e.g. 1000,30000',
  )
}

function rates(text: string): number[] | 'auto' {
  if (text === 'auto') return 'auto'
  const values = text.split(',').map((part) => parseDecimal(part.trim()))
  if (values.every((value) => Number.isFinite(value) && value > 0)) return values.toSorted((a, b) => a - b)
  throw refusedAnswer(
    `--rates: ${quoted(text)} is no list of rates`,
    'give requests a second, e.g. 8,10,12,14, or auto',
  )
}

/** `acme/Dense 8B` on one H100 → `dense-8b-1xh100`. */
function usualGateId(model: string, gpus: number, gpu: string): string {
  const last = model.split(/[\\/]/).findLast((part) => part !== '') ?? ''
  const slug = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60)
  return `${slug === '' ? 'model' : slug}-${gpus === 0 ? 'cpu' : `${gpus}x${gpu.toLowerCase()}`}`
}
