import { EXIT, GateError } from '../kernel/errors.ts'
import { sha256Hex } from '../kernel/hash.ts'
import type { ScheduleHeader, ScheduleRow } from './schedule.ts'
import { fillTokens, type TokenRange, uniqueNumber, uniqueTokens } from './unique-tokens.ts'
import { WORDS } from './word-table.ts'

/** A turn of the session that came before: what it asked, and what is taken for its answer. */
interface EarlierTurn {
  id: string
  /** What it added to the prompt; of the first turn prefix included. */
  ownTokens: number
  /** The reply's length in the history. */
  outputTokens: number
  /** The reply's ids, where the history is live: the first `outputTokens` count, and the schedule's own stand for those that are missing. */
  reply?: ArrayLike<number>
  /** The dataset's text that it asked. */
  text?: string
}

/** What a prompt is a function of: nothing else reaches it. */
export interface PromptRequest {
  /** The schedule's seed. */
  seed: number
  id: string
  /** Of the point, 32 bits: each cold point and repeat has its own. */
  epoch: number
  /** The whole prompt; prefix and history count inside. */
  inputTokens: number
  /** The shared start of a warm prompt: a function of the set's version and the prefix's id alone. */
  prefix?: { id: string; tokens: number; set: string } | null
  /** The session's turns before this one, from the first. */
  history?: readonly EarlierTurn[]
  /** The dataset's text that it asks: its own length then, and not `inputTokens`, is the prompt's. */
  text?: string
}

/** A range of ids for a manifest that declares none (valid, but not deployable): inside every common vocabulary. */
export const DEFAULT_TOKEN_RANGE: TokenRange = [1000, 30000]

/** Text prompts are token prompts over the word table. */
export const WORD_RANGE: TokenRange = [0, WORDS.length]

type Role = 'user' | 'assistant'

/** A piece of a prompt that is drawn from one stream. */
interface Piece {
  role: Role
  label: string
  unique: bigint | null
  tokens: number
  reply?: ArrayLike<number>
  text?: string
}

/** Prefix, the first turn's own, its reply, the second turn's own, …: each piece from a stream of its own. */
function pieces(request: PromptRequest, range: TokenRange): Piece[] {
  const { seed, epoch, prefix, history = [], inputTokens } = request
  const before = history.reduce((sum, turn) => sum + turn.ownTokens + turn.outputTokens, 0)
  const turns: EarlierTurn[] = [...history, { ...request, ownTokens: inputTokens - before, outputTokens: 0 }]
  requireLengths(turns, prefix?.tokens ?? 0, range)
  const all: Piece[] = []
  if (prefix) {
    const setEpoch = Number.parseInt(sha256Hex(`prefix-1 ${prefix.set}`).slice(0, 8), 16)
    const label = `prefix-1 ${prefix.set} ${prefix.id}`
    all.push({ role: 'user', label, unique: uniqueNumber(prefix.id, setEpoch), tokens: prefix.tokens })
  }
  for (const [turn, { id, ownTokens, outputTokens, text, reply }] of turns.entries()) {
    const tokens = ownTokens - (turn === 0 ? (prefix?.tokens ?? 0) : 0)
    const label = `prompt-1 ${seed} ${id} ${epoch}`
    all.push({ role: 'user', label, unique: uniqueNumber(id, epoch), tokens, ...(text === undefined ? {} : { text }) })
    if (turn === history.length) break
    const answer = { label: `reply-1 ${seed} ${id} ${epoch}`, unique: null, tokens: outputTokens }
    all.push({ role: 'assistant', ...answer, ...(reply === undefined ? {} : { reply }) })
  }
  return all
}

function requireLengths(turns: readonly { ownTokens: number }[], shared: number, range: TokenRange): void {
  const unique = uniqueTokens(range)
  const wrong = turns.findIndex(({ ownTokens }, turn) => ownTokens < (turn === 0 ? shared + unique : 1))
  if (wrong < 0) return
  const own = turns[wrong]?.ownTokens ?? 0
  throw new GateError({
    code: 'prompt_too_short',
    message:
      wrong === 0
        ? `a prompt of ${own} tokens, ${shared} of them shared, cannot be told from all others`
        : `a turn of a session adds ${own} tokens to its history`,
    hint: `give the class at least ${unique} input tokens beside its prefix`,
    exitCode: EXIT.invalid,
  })
}

/**
 * The prompt of one request in one epoch as token ids of the range, `inputTokens` of them. No two (id, epoch) share their first
 * `uniqueTokens(range)` ≤ 16 tokens, counted after the prefix where there is one: they encode id and epoch. The rest is uniform. A
 * turn of a session begins with its history, and so with the first turn's unique tokens.
 *
 * @throws GateError `prompt_range` for a range under 16 ids, `prompt_too_short` where the unique tokens do not fit (exit 4)
 */
export function promptTokenIds(request: PromptRequest & { range: TokenRange }): Uint32Array {
  const tokens = new Uint32Array(request.inputTokens)
  let at = 0
  for (const piece of pieces(request, request.range)) {
    const room = tokens.subarray(at, at + piece.tokens)
    fillTokens(room, piece.label, piece.unique, request.range)
    for (let index = 0; piece.reply && index < Math.min(piece.reply.length, room.length); index++) {
      room[index] = piece.reply[index] ?? 0
    }
    at += piece.tokens
  }
  return tokens
}

/**
 * The prompt as the turns of a conversation, the last one the user's: one short English word in place of each token, unique in the
 * same way. The tokenizer decides its true length. Where a turn asks a text of the dataset, that text stands in place of its words, after
 * those that make it unique. A live reply is ids and has no words here: the schedule's own stand for it.
 *
 * @throws GateError of `promptTokenIds`
 */
export function promptMessages(request: PromptRequest): { role: Role; content: string }[] {
  const messages: { role: Role; content: string }[] = []
  for (const piece of pieces(request, WORD_RANGE)) {
    const ids = new Uint32Array(piece.text === undefined ? piece.tokens : uniqueTokens(WORD_RANGE))
    fillTokens(ids, piece.label, piece.unique, WORD_RANGE)
    const words: string[] = []
    for (const id of ids) words.push(WORDS[id] ?? '')
    if (piece.text !== undefined) words.push(piece.text)
    const content = words.join(' ')
    const last = messages.at(-1)
    if (last?.role === piece.role) last.content += ` ${content}`
    else messages.push({ role: piece.role, content })
  }
  return messages
}

/** The prompt as one text: its messages, one after the other. */
export function promptText(request: PromptRequest): string {
  return promptMessages(request)
    .map(({ content }) => content)
    .join(' ')
}

/** A row as far as its prompt goes. */
export type PromptRow = Pick<ScheduleRow, 'id' | 'inputTokens' | 'prefix' | 'text'>

/** What a row's prompt needs beside the row. */
export interface PromptContext {
  /** The session's rows before it, from turn 0 (`sessionHistory`, up to its turn). */
  earlier?: readonly (PromptRow & Pick<ScheduleRow, 'outputTokens'>)[]
  /** For each of them the ids that were answered, where the history is live. */
  replies?: readonly (ArrayLike<number> | undefined)[]
  /** The dataset's texts. */
  texts?: readonly string[]
}

/** What a row's prompt is a function of, for `promptTokenIds`, `promptText` and `promptMessages`. */
export function promptRequest(
  header: ScheduleHeader,
  row: PromptRow,
  epoch: number,
  { earlier = [], replies, texts }: PromptContext = {},
): PromptRequest {
  const shared = row.prefix === undefined ? undefined : header.prefixes.find((prefix) => prefix.id === row.prefix)
  const prefix = shared ? { id: shared.id, tokens: shared.tokens, set: header.prefixSet ?? '' } : null
  const textOf = ({ text }: PromptRow) => (text === undefined ? {} : { text: texts?.[text] ?? missingText(text) })
  let before = 0
  const history = earlier.map((turn, index): EarlierTurn => {
    const { id, inputTokens, outputTokens } = turn
    const ownTokens = inputTokens - before
    before = inputTokens + outputTokens
    const reply = replies?.[index]
    return { id, ownTokens, outputTokens, ...textOf(turn), ...(reply === undefined ? {} : { reply }) }
  })
  const { id, inputTokens } = row
  return {
    seed: header.seed,
    id,
    epoch,
    inputTokens,
    prefix,
    ...(history.length > 0 ? { history } : {}),
    ...textOf(row),
  }
}

function missingText(index: number): never {
  throw new Error(`the prompt is made of text ${index}, which was not given`)
}
