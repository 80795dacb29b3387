import { stripVTControlCharacters } from 'node:util'
import { Agent, buildConnector, ProxyAgent, request } from 'undici'
import type { Dispatcher } from 'undici'
import type { EngineConnection } from './engine-connection.ts'
import { PLAIN_CONNECTION, trusted } from './engine-connection.ts'
import { socketPathOf } from './engine-origin.ts'

/** One call of an engine's control or metrics routes. The answer is hostile input: bounded in time and size, never redirected. */
export interface HttpCall {
  method: 'GET' | 'POST'
  /** As `engineOrigin` gives it. */
  origin: string
  path: string
  /** Beside those of every call. */
  headers?: Readonly<Record<string, string>>
  body?: string
  /** For the whole call, body included. */
  deadlineMs: number
  maximumBytes: number
}

interface HttpAnswer {
  status: number
  contentType: string
  text: string
}

/** An answer, or one line about why there is none. */
export type HttpResult = { answer: HttpAnswer } | { why: string }

/** Makes calls, with connections of their own: a control call never waits behind another or meets one that the engine just closed. */
export interface HttpCaller extends AsyncDisposable {
  /** Throws only when `signal` is aborted: then its reason. */
  call(call: HttpCall, signal: AbortSignal): Promise<HttpResult>
}

export function httpCaller(connection: EngineConnection = PLAIN_CONNECTION): HttpCaller {
  const open = new Map<string | null, Dispatcher>()
  const dispatcherFor = (socketPath: string | null): Dispatcher => {
    const known = open.get(socketPath)
    if (known) return known
    const fresh = dispatcherOf(connection, socketPath)
    open.set(socketPath, fresh)
    return fresh
  }
  return {
    call: (call, signal) => boundedCall(connection, dispatcherFor(socketPathOf(call.origin)), call, signal),
    async [Symbol.asyncDispose]() {
      await Promise.all([...open.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

function dispatcherOf({ ca, proxy }: EngineConnection, socketPath: string | null): Dispatcher {
  const trust = ca === null ? {} : { ca: trusted(ca) }
  const limits = { pipelining: 0, maxHeaderSize: 65_536 }
  if (proxy !== null && socketPath === null) {
    return new ProxyAgent({ ...limits, uri: proxy, proxyTunnel: true, proxyTls: trust, requestTls: trust })
  }
  const connect = buildConnector({ ...trust, ...(socketPath === null ? {} : { socketPath }), timeout: 5000 })
  return new Agent({ ...limits, connect })
}

async function boundedCall(
  connection: EngineConnection,
  dispatcher: Dispatcher,
  call: HttpCall,
  signal: AbortSignal,
): Promise<HttpResult> {
  signal.throwIfAborted()
  const deadline = AbortSignal.timeout(call.deadlineMs)
  const origin = socketPathOf(call.origin) === null ? call.origin : 'http://localhost'
  const { mask } = connection.secrets
  try {
    const response = await request(origin + call.path, {
      method: call.method,
      dispatcher,
      signal: AbortSignal.any([signal, deadline]),
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: {
        ...connection.headers,
        ...call.headers,
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    const text = await readText(response.body, call.maximumBytes)
    if (text === null) return { why: `answered more than ${call.maximumBytes} bytes` }
    const contentType = String(response.headers['content-type'] ?? '').toLowerCase()
    return { answer: { status: response.statusCode, contentType, text: mask(text) } }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (deadline.aborted) return { why: `no whole answer within ${call.deadlineMs} ms` }
    return { why: mask(reasonOf(error)) }
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

/** One line of what an engine said, fit for a terminal and for a report. */
export function printableLine(text: string, limit: number): string {
  const line = stripVTControlCharacters(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}
