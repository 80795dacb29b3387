/** Which of the two OpenAI wire shapes an answer has. */
export type WireShape = 'completions' | 'chat'

/** A JSON object from outside: nothing about its fields is known. */
export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What the text says as JSON, or `otherwise` where it is none. */
export function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/** More than any request has tokens: what requests.csv can hold. */
const MAX_COUNT = 0x7fff_ffff

/** A whole number from 0 to 2³¹ − 1, or null. */
export function countOf(value: unknown): number | null {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT ? (value as number) : null
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isToolText(call: unknown): boolean {
  if (!isObject(call)) return false
  const made = call['function']
  return isObject(made) && (isText(made['name']) || isText(made['arguments']))
}

/** Whether a choice's part carries visible text: content, reasoning (under either name), a refusal or a tool call's. */
export function hasVisibleText(shape: WireShape, choice: Json): boolean {
  if (shape === 'completions') return isText(choice['text'])
  const delta = choice['delta']
  if (!isObject(delta)) return false
  if (isText(delta['content']) || isText(delta['reasoning_content']) || isText(delta['reasoning'])) return true
  if (isText(delta['refusal'])) return true
  const calls = delta['tool_calls']
  return Array.isArray(calls) && calls.some(isToolText)
}

/** An error inside a chunk, nested (`error`) or flat (`object: error`), or null. `null`, `false` and an empty text are no error. */
export function errorOf(chunk: Json): unknown {
  const nested = chunk['error']
  if (nested !== undefined && nested !== null && nested !== false && nested !== '') return nested
  return chunk['object'] === 'error' ? chunk : null
}

/** The numeric code of an error, however it is written; null where there is none. */
export function errorCodeOf(error: unknown): number | null {
  if (!isObject(error)) return null
  const code = error['code'] ?? error['status_code'] ?? error['status']
  const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code
  return countOf(number)
}

/** What an error says, for people. */
export function errorMessageOf(error: unknown): string {
  if (isObject(error) && typeof error['message'] === 'string') return error['message']
  if (typeof error === 'string') return error
  try {
    return JSON.stringify(error)
  } catch {
    // Nested deeper than the stack; reading it back did not recurse.
    return 'an error nested too deep to be shown'
  }
}

/** At most `length` characters as sent, those that cannot be printed replaced. */
export function printable(text: string, length: number): string {
  return Array.from(text.slice(0, length * 2))
    .slice(0, length)
    .join('')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
}
