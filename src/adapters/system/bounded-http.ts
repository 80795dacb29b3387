import { stripVTControlCharacters } from 'node:util'
import { Agent, request } from 'undici'
import type { Dispatcher } from 'undici'

/** One call of an engine's control or metrics routes. The answer is hostile input: bounded in time and size, never redirected. */
export interface HttpCall {
  method: 'GET' | 'POST'
  url: string
  body?: string
  /** For the whole call, body included. */
  deadlineMs: number
  maximumBytes: number
}

export interface HttpAnswer {
  status: number
  contentType: string
  text: string
}

/** An answer, or one line about why there is none. */
export type HttpResult = { answer: HttpAnswer } | { why: string }

/** Connections of their own, one for each call: a control call never waits behind another or meets one that the engine just closed. */
export function controlAgent(): Agent {
  return new Agent({ pipelining: 0, connect: { timeout: 5000 }, maxHeaderSize: 65_536 })
}

/** Makes a call. Throws only when `signal` is aborted: then its reason. */
export async function boundedCall(agent: Dispatcher, call: HttpCall, signal: AbortSignal): Promise<HttpResult> {
  signal.throwIfAborted()
  const deadline = AbortSignal.timeout(call.deadlineMs)
  try {
    const response = await request(call.url, {
      method: call.method,
      dispatcher: agent,
      signal: AbortSignal.any([signal, deadline]),
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    const text = await readText(response.body, call.maximumBytes)
    if (text === null) return { why: `answered more than ${call.maximumBytes} bytes` }
    const contentType = String(response.headers['content-type'] ?? '').toLowerCase()
    return { answer: { status: response.statusCode, contentType, text } }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (deadline.aborted) return { why: `no whole answer within ${call.deadlineMs} ms` }
    return { why: reasonOf(error) }
  }
}

async function readText(body: Dispatcher.ResponseData['body'], maximumBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of body) {
    const bytes = chunk as Buffer
    total += bytes.length
    // Leaving the loop destroys the body and with it the connection.
    if (total > maximumBytes) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'refuses connections'
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'closed the connection without an answer'
  return printableLine(code ? `${message} (${code})` : message, 200)
}

/** Whether an answer is a web page: something other than an engine listens there, or a proxy stands before it. */
export function isHtml(answer: HttpAnswer): boolean {
  return answer.contentType.includes('html') || /^\s*<(?:!doctype|html|head|body)\b/i.test(answer.text.slice(0, 1000))
}

/** One line of what an engine said, fit for a terminal and for a report. */
export function printableLine(text: string, limit: number): string {
  const line = stripVTControlCharacters(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}
