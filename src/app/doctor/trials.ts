import { readReset } from '../../core/dialect/control-answers.ts'
import type { ResetProof } from '../../core/dialect/control-answers.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { EngineProbe } from '../ports/engine-probe.ts'
import type { Asked, Spoken } from './generation.ts'
import { generate } from './generation.ts'

/** More than the largest KV block in use, so that a repeated prompt can be hit. */
const PROMPT_TOKENS = 512
const PROMPT_OUTPUT = 8
/** Of the smallest vocabularies too, and none of the special ones at their start. */
const FIRST_ID = 300
const ID_RANGE = 1700
const EXACT_TOKENS = 32
const TEXT = 'Please explain the token cache and the request queue of the server'
const STRANGE_FIELD = 'a_field_that_no_engine_knows'
const RESET_DEADLINE_MS = 10_000
const RESET_BYTES = 1024 * 1024

/** What was tried with one engine; null: not tried, since something before it failed or the dialect has no such thing. */
export interface Trials {
  /** Exactly so many tokens, in all the dialect's words. */
  exact: Spoken
  exactTokens: number
  /** In the public API's words, where the dialect's failed. */
  plain: Spoken | null
  chat: Spoken | null
  /** A prompt of so many token ids, and again, salted, and after the reset. */
  first: Spoken | null
  promptTokens: number
  again: Spoken | null
  salted: Spoken | null
  reset: ResetProof | null
  afterReset: Spoken | null
  /** With a request id. */
  named: Spoken | null
  /** With a field that no engine knows. */
  strange: Spoken | null
}

export interface TrialOrder {
  probe: EngineProbe
  dialect: Dialect
  model: string
  /** The prefix cache is left as it is. */
  keepsCache: boolean
}

/** At most ten small requests, one after the other. After one that is not answered at all nothing more is sent. */
export async function tryGenerations(order: TrialOrder, signal: AbortSignal): Promise<Trials> {
  const { dialect } = order
  let isSilent = false
  const ask = async (asked: Asked): Promise<Spoken> => {
    if (isSilent) return NOT_TRIED
    const spoken = await generate(order.probe, dialect, order.model, asked, signal)
    isSilent = spoken.status === null
    return spoken
  }
  const text = { route: 'completions', prompt: TEXT, outputTokens: EXACT_TOKENS } as const
  const exact = await ask(text)
  const trials: Trials = { ...NOTHING, exact }
  if (exact.status === null) return trials
  trials.chat = await ask({ ...text, route: 'chat' })
  if (exact.failure !== null) trials.plain = await ask({ ...text, isPlain: true })
  if (exact.failure !== null && trials.plain?.failure !== null) return trials
  const small = { ...text, outputTokens: PROMPT_OUTPUT, isPlain: exact.failure !== null }
  if (dialect.requestIdHeader !== null) {
    trials.named = await ask({ ...small, headers: { [dialect.requestIdHeader]: 'doctor-1' } })
  }
  trials.strange = await ask({ ...small, extra: { [STRANGE_FIELD]: 1 } })
  if (dialect.request.promptTokenIds) await tryCache(order, trials, ask, signal)
  return trials
}

/** Each further silence would cost its whole deadline. */
const NOT_TRIED: Spoken = {
  failure: 'not tried: an earlier request was not answered',
  status: null,
  answer: null,
  usageChunks: 0,
}

const NOTHING = {
  exactTokens: EXACT_TOKENS,
  plain: null,
  chat: null,
  first: null,
  promptTokens: PROMPT_TOKENS,
  again: null,
  salted: null,
  reset: null,
  afterReset: null,
  named: null,
  strange: null,
}

async function tryCache(
  order: TrialOrder,
  trials: Trials,
  ask: (asked: Asked) => Promise<Spoken>,
  signal: AbortSignal,
): Promise<void> {
  const { dialect } = order
  const prompt = Array.from({ length: PROMPT_TOKENS }, (_, index) => FIRST_ID + ((index * 7) % ID_RANGE))
  const asked = { route: 'completions', prompt, outputTokens: PROMPT_OUTPUT, isPlain: trials.plain !== null } as const
  trials.first = await ask(asked)
  if (trials.first.failure !== null) return
  trials.again = await ask(asked)
  const salt = dialect.request.cacheSalt
  if (salt !== null) trials.salted = await ask({ ...asked, extra: { [salt]: 'doctor' } })
  if (dialect.reset === null || order.keepsCache) return
  trials.reset = await resetOnce(order, signal)
  if (trials.reset.state === 'done' || trials.reset.state === 'unknown') trials.afterReset = await ask(asked)
}

async function resetOnce({ probe, dialect }: TrialOrder, signal: AbortSignal): Promise<ResetProof> {
  let last: ResetProof = { state: 'absent', text: 'the engine has no route for it', said: '' }
  const { reset } = dialect
  if (reset === null) return last
  for (const path of reset.paths) {
    const call = { method: reset.method, path, deadlineMs: RESET_DEADLINE_MS, maximumBytes: RESET_BYTES }
    const result = await probe.call(call, signal)
    if ('why' in result) return { state: 'refused', text: result.why, said: '' }
    last = readReset(reset, path, result.answer)
    if (last.state !== 'absent') break
  }
  return last
}
