import { EXIT, GateError } from '../kernel/errors.ts'
import { randomStream } from './random.ts'
import { ID_PATTERN } from './schedule.ts'

/** From this id on, up to but without that one: safe whichever way a range was meant. */
export type TokenRange = readonly [number, number]

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
      hint: `set model.prompt_token_ids to [from, to) with at least ${SMALLEST_RANGE} ids between`,
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
export function uniqueNumber(id: string, epoch: number): bigint {
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

/** Writes the unique number's digits in base `range`, where one is given, then ids drawn uniformly from a stream of the label's own. */
export function fillTokens(tokens: Uint32Array, label: string, unique: bigint | null, range: TokenRange): void {
  const from = range[0]
  const size = range[1] - from
  const digits = unique === null ? 0 : Math.min(uniqueTokens(range), tokens.length)
  const base = BigInt(size)
  let left = unique ?? 0n
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
