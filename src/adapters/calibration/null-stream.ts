/** What shapes the null server's answers, after the manifest's endpoint and dialect. */
export interface NullForm {
  endpoint: 'completions' | 'chat'
  /** Each chunk tells the tokens so far. */
  continuousUsage: boolean
  /** Each chunk holds its token's id. */
  tokenIds: boolean
}

/** Tokens that the usage counts for the prompt: nobody looks. */
const PROMPT_TOKENS = 1000
const WORD = ' word'
const TOKEN_ID = 12_345

/**
 * An answer of so many tokens as HTTP chunks, one for each; with the last one come finish reason, usage and the body's end. The fields are
 * those of a vLLM answer, so that they cost the reader what a real one's do.
 */
export function tokenChunks(form: NullForm, tokens: number): Buffer[] {
  return Array.from({ length: tokens }, (_, index) => {
    const count = index + 1
    if (count < tokens) return httpChunk(event(form, count, false))
    const usage = { ...envelope(form), choices: [], usage: usageOf(tokens) }
    const end = `${event(form, count, true)}data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`
    return Buffer.concat([httpChunk(end), Buffer.from('0\r\n\r\n')])
  })
}

function event(form: NullForm, count: number, isLast: boolean): string {
  const { endpoint, tokenIds, continuousUsage } = form
  const choice = {
    index: 0,
    ...(endpoint === 'chat' ? { delta: { content: WORD } } : { text: WORD }),
    logprobs: null,
    finish_reason: isLast ? 'length' : null,
    ...(tokenIds ? { token_ids: [TOKEN_ID] } : {}),
  }
  const usage = continuousUsage ? { usage: usageOf(count) } : {}
  return `data: ${JSON.stringify({ ...envelope(form), choices: [choice], ...usage })}\n\n`
}

function envelope({ endpoint }: NullForm) {
  const [id, object] = endpoint === 'chat' ? ['chatcmpl', 'chat.completion.chunk'] : ['cmpl', 'text_completion']
  return { id: `${id}-0123456789abcdef0123456789abcdef`, object, created: 1_700_000_000, model: 'null' }
}

function usageOf(tokens: number) {
  return { prompt_tokens: PROMPT_TOKENS, total_tokens: PROMPT_TOKENS + tokens, completion_tokens: tokens }
}

function httpChunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}
