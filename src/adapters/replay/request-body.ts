import type { RequestShape } from '../../app/ports/replay.ts'
import type { PromptContext } from '../../core/schedule/prompt.ts'
import {
  DEFAULT_TOKEN_RANGE,
  promptMessages,
  promptRequest,
  promptText,
  promptTokenIds,
} from '../../core/schedule/prompt.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'

const COMMA = 44
const ZERO = 48
/** No id of 32 bits has more digits. */
const MOST_DIGITS = 10

/** Where a row is sent: the dialect's path of the manifest's endpoint. */
export function requestPath(shape: RequestShape): string {
  const { completions, chat } = shape.dialect.paths
  return shape.manifest.client.endpoint === 'chat' ? chat : completions
}

/** Header names and values, alternating. Only `identity` is asked for: a compressed stream hides when its tokens came. */
export function requestHeaders(shape: RequestShape, row: Pick<ScheduleRow, 'id' | 'session'>): string[] {
  const headers = ['content-type', 'application/json', 'accept', 'text/event-stream', 'accept-encoding', 'identity']
  if (shape.dialect.requestIdHeader !== null) headers.push(shape.dialect.requestIdHeader, row.id)
  const { session_header: sessionHeader } = shape.manifest.client
  if (sessionHeader !== undefined && row.session !== undefined) headers.push(sessionHeader, row.session)
  return headers
}

/**
 * The JSON body of a row: the manifest's endpoint, prompt and sampling in the dialect's words; fields that the dialect lacks are left
 * out. Chat takes text, whatever the prompt's form is: a session's turns as messages of the two roles. `context` is the row's session
 * so far, and the dataset's texts.
 *
 * @throws GateError of `promptTokenIds`
 */
export function requestBody(shape: RequestShape, row: ScheduleRow, context: PromptContext): Buffer {
  const { manifest, header, epoch } = shape
  const request = promptRequest(header, row, epoch, context)
  const rest = JSON.stringify(requestFields(shape, row))
  const isChat = manifest.client.endpoint === 'chat'
  if (isChat || manifest.client.prompt === 'text') {
    const prompt = isChat ? { messages: promptMessages(request) } : { prompt: promptText(request) }
    return Buffer.from(`${JSON.stringify(prompt).slice(0, -1)},${rest.slice(1)}`)
  }
  const range = manifest.model.prompt_token_ids ?? DEFAULT_TOKEN_RANGE
  return joinIds('{"prompt":[', promptTokenIds({ ...request, range }), `],${rest.slice(1)}`)
}

/** Everything but the prompt. */
function requestFields(shape: RequestShape, row: ScheduleRow): Record<string, unknown> {
  const { client, model } = shape.manifest
  const { request } = shape.dialect
  const { sampling } = client
  const fields: Record<string, unknown> = { model: model.id, stream: true, temperature: sampling.temperature }
  const set = (name: string | null, value: unknown): void => {
    if (name !== null) fields[name] = value
  }
  set(request.maxTokens[client.endpoint], row.outputTokens)
  if (sampling.min_tokens === 'equal') set(request.minTokens, row.outputTokens)
  set(request.ignoreEos, sampling.ignore_eos)
  if (sampling.stop.length > 0) set('stop', sampling.stop)
  set(request.returnTokenIds, true)
  if (isSalted(shape)) set(request.cacheSalt, `${shape.header.seed}-${shape.epoch}-${row.session ?? row.id}`)
  const usage = [request.includeUsage, request.continuousUsage].filter((name) => name !== null)
  if (usage.length > 0) fields['stream_options'] = Object.fromEntries(usage.map((name) => [name, true]))
  return fields
}

function isSalted({ header, manifest }: RequestShape): boolean {
  return header.cache === 'cold' && manifest.cache?.cold?.isolate === 'cache_salt'
}

/** Digits are written straight into the buffer: a tenth of the time of joining strings, for the longest prompts. */
function joinIds(before: string, ids: Uint32Array, after: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(before.length + ids.length * (MOST_DIGITS + 1) + Buffer.byteLength(after))
  let at = buffer.write(before, 'latin1')
  for (const id of ids) {
    let end = at + 1
    for (let left = id; left >= 10; left = Math.floor(left / 10)) end += 1
    let left = id
    for (let index = end - 1; index >= at; index -= 1) {
      const tens = Math.floor(left / 10)
      buffer[index] = ZERO + left - tens * 10
      left = tens
    }
    buffer[end] = COMMA
    at = end + 1
  }
  if (ids.length > 0) at -= 1
  at += buffer.write(after, at)
  return buffer.subarray(0, at)
}
