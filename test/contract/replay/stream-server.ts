import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** One request as a server saw it. */
export interface Asked {
  id: string
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  bodyText: string
  /** Numbers connections in the order they were accepted, from 0. */
  connection: number
}

export type Respond = (asked: Asked, response: ServerResponse) => void | Promise<void>

export interface StreamServer extends AsyncDisposable {
  url: string
  asked: Asked[]
  readonly accepted: number
  readonly open: number
}

/** A server on a free loopback port that answers as a test says. */
export async function startStreamServer(respond: Respond): Promise<StreamServer> {
  const asked: Asked[] = []
  const sockets = new Map<Socket, number>()
  let accepted = 0
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 256 * 1024 }, (message, response) => {
    response.on('error', () => {})
    void readAsked(message, sockets.get(message.socket) ?? -1).then((seen) => {
      asked.push(seen)
      return respond(seen, response)
    })
  })
  server.on('connection', (socket) => {
    sockets.set(socket, accepted)
    accepted += 1
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1', 4096)
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get accepted() {
      return accepted
    },
    get open() {
      return sockets.size
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readAsked(message: IncomingMessage, connection: number): Promise<Asked> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  const bodyText = Buffer.concat(parts).toString()
  const id = String(message.headers['x-request-id'] ?? '')
  const body = JSON.parse(bodyText) as Record<string, unknown>
  return { id, path: message.url ?? '', headers: message.headers, body, bodyText, connection }
}

export function head(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headers })
}

/** A completion chunk of one token. */
export function tokenChunk(finish: string | null = null): string {
  const choice = { index: 0, text: 'a', finish_reason: finish, token_ids: [7] }
  return `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`
}

export function usageChunk(promptTokens: number, tokens: number): string {
  const usage = { prompt_tokens: promptTokens, completion_tokens: tokens, total_tokens: promptTokens + tokens }
  const details = { prompt_tokens_details: { cached_tokens: 3 } }
  return `data: ${JSON.stringify({ id: 'c', choices: [], usage: { ...usage, ...details } })}\n\n`
}

export const DONE = 'data: [DONE]\n\n'

/** The whole of a right answer, in one string. */
export function wholeAnswer({ body }: Asked): string {
  const tokens = Number(body['max_tokens'])
  const chunks = Array.from({ length: tokens }, (_, index) => tokenChunk(index === tokens - 1 ? 'length' : null))
  const prompt = body['prompt']
  return `${chunks.join('')}${usageChunk(Array.isArray(prompt) ? prompt.length : 0, tokens)}${DONE}`
}

export const respondWell: Respond = (asked, response) => {
  head(response)
  response.end(wholeAnswer(asked))
}

/** The same, a token every 5 ms. */
export const respondStepwise: Respond = async (asked, response) => {
  head(response)
  for (const event of wholeAnswer(asked).split(/(?<=\n\n)/)) {
    if (response.destroyed) return
    response.write(event)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  response.end()
}
