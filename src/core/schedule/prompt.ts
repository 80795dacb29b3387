import { EXIT, GateError } from '../kernel/errors.ts'
import { sha256Hex } from '../kernel/hash.ts'
import { randomStream } from './random.ts'
import { ID_PATTERN, type ScheduleHeader, type ScheduleRow } from './schedule.ts'
import { WORDS } from './word-table.ts'

/** From this id on, up to but without that one: safe whichever way a range was meant. */
export type TokenRange = readonly [number, number]

/** What a prompt is a function of: nothing else reaches it. */
export interface PromptRequest {
  /** The schedule's seed. */
  seed: number
  id: string
  /** Of the point, 32 bits: each cold point and repeat has its own. */
  epoch: number
  /** The prefix's tokens count inside. */
  inputTokens: number
  /** The shared start of a warm prompt: a function of the set's version and the prefix's id alone. */
  prefix?: { id: string; tokens: number; set: string } | null
}

/** A range of ids for a manifest that declares none (valid, but not deployable): inside every common vocabulary. */
export const DEFAULT_TOKEN_RANGE: TokenRange = [1000, 30000]

/** Text prompts are token prompts over the word table. */
export const WORD_RANGE: TokenRange = [0, WORDS.length]

/** The narrowest range: sixteen ids tell 2^64 prompts apart within sixteen tokens, the smallest KV block in use. */
const SMALLEST_RANGE = 16

const UNIQUE_BITS = 64n

/** How many tokens a prompt of this range needs of its own (after any prefix) to be told from every other: 4 to 16. */
export function uniqueTokens(range: TokenRange): number {
  const size = range[1] - range[0]
  if (!(Number.isSafeInteger(size) && Number.isSafeInteger(range[0]) && range[0] >= 0 && size >= SMALLEST_RANGE)) {
    throw new GateError({
      code: 'prompt_range',
      message: `the range of prompt token ids ${range[0]} … ${range[1]} is too narrow`,
      hint: `Set model.prompt_token_ids to [from, to) with at least ${SMALLEST_RANGE} ids between.`,
      exitCode: EXIT.invalid,
    })
  }
  let needed = 1
  for (let told = BigInt(size); told < 1n << UNIQUE_BITS; told *= BigInt(size)) needed++
  return needed
}

/** The finalizer of MurmurHash3: spreads every bit of a 32-bit word over all. */
function spread(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * 64 bits that no other (id, epoch) has: the two 32-bit words are run through a Feistel network, which is a permutation whatever its
 * rounds do. The scrambling is there so that prompts differ in their first token nearly always, for caches without blocks.
 */
function uniqueNumber(id: string, epoch: number): bigint {
  if (!ID_PATTERN.test(id)) throw new Error(`${id} is not an id of a request or a prefix`)
  let left = epoch >>> 0
  let right = ((id.charCodeAt(0) - 97) << 27) + Number(id.slice(2))
  for (let round = 1; round <= 6; round++) {
    const next = left ^ spread((right + Math.imul(round, 0x9e3779b9)) | 0)
    left = right
    right = next >>> 0
  }
  return (BigInt(left >>> 0) << 32n) | BigInt(right >>> 0)
}

/** Writes the unique number's digits in base `range`, then ids drawn uniformly from a stream of the label's own. */
function fill(tokens: Uint32Array, label: string, unique: bigint, range: TokenRange): void {
  const from = range[0]
  const size = range[1] - from
  const digits = Math.min(uniqueTokens(range), tokens.length)
  const base = BigInt(size)
  let left = unique
  let first = 0
  for (let index = 0; index < digits; index++) {
    const digit = Number(left % base)
    left /= base
    if (index === 0) first = digit
    // The last digit has fewer values than the range: turned by the first, which is known, it takes all of them.
    tokens[index] = from + (index > 0 && index === digits - 1 ? (digit + first) % size : digit)
  }
  const random = randomStream(label)
  for (let index = digits; index < tokens.length; index++) {
    tokens[index] = from + Math.floor(((random.next() >>> 0) * size) / 0x1_0000_0000)
  }
}

/**
 * The prompt of one request in one epoch as token ids of the range, `inputTokens` of them. No two (id, epoch) share their first
 * `uniqueTokens(range)` ≤ 16 tokens, counted after the prefix where there is one: they encode id and epoch. The rest is uniform.
 *
 * @throws GateError `prompt_range` for a range under 16 ids, `prompt_too_short` where the unique tokens do not fit (exit 4)
 */
export function promptTokenIds(request: PromptRequest & { range: TokenRange }): Uint32Array {
  const { seed, id, epoch, inputTokens, prefix, range } = request
  const shared = prefix?.tokens ?? 0
  const own = inputTokens - shared
  if (own < uniqueTokens(range)) {
    throw new GateError({
      code: 'prompt_too_short',
      message: `a prompt of ${inputTokens} tokens, ${shared} of them shared, cannot be told from all others`,
      hint: `Give the class at least ${uniqueTokens(range)} input tokens beside its prefix.`,
      exitCode: EXIT.invalid,
    })
  }
  const tokens = new Uint32Array(inputTokens)
  if (prefix) {
    const label = `prefix-1 ${prefix.set} ${prefix.id}`
    const setEpoch = Number.parseInt(sha256Hex(`prefix-1 ${prefix.set}`).slice(0, 8), 16)
    fill(tokens.subarray(0, shared), label, uniqueNumber(prefix.id, setEpoch), range)
  }
  fill(tokens.subarray(shared), `prompt-1 ${seed} ${id} ${epoch}`, uniqueNumber(id, epoch), range)
  return tokens
}

/** The prompt as text: one short English word in place of each token, unique in the same way. The tokenizer decides its true length. */
export function promptText(request: PromptRequest): string {
  const ids = promptTokenIds({ ...request, range: WORD_RANGE })
  const words: string[] = []
  for (const id of ids) words.push(WORDS[id] ?? '')
  return words.join(' ')
}

/** What a row's prompt is a function of, for `promptTokenIds` and `promptText`. */
export function promptRequest(
  header: ScheduleHeader,
  row: Pick<ScheduleRow, 'id' | 'inputTokens' | 'prefix'>,
  epoch: number,
): PromptRequest {
  const shared = row.prefix === undefined ? undefined : header.prefixes.find((prefix) => prefix.id === row.prefix)
  const prefix = shared ? { id: shared.id, tokens: shared.tokens, set: header.prefixSet ?? '' } : null
  return { seed: header.seed, id: row.id, epoch, inputTokens: row.inputTokens, prefix }
}
