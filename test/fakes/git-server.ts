import { execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the server does with a request in place of answering it; null to answer. */
export type Fault = { status: number } | 'silence' | 'hang up' | 'answer, then hang up' | null

export interface GitServer extends AsyncDisposable {
  /** Of the one repository. */
  url: string
  /** The bare repository on disk. */
  repository: string
  /** With every login that came with it: two are one too many. */
  requests: { method: string; path: string; logins: string[] }[]
  /** Asked for each request in turn. */
  fault: (request: IncomingMessage) => Fault
  git(...args: string[]): string
}

/** A bare repository behind git's own HTTP server, the real thing. With `token` it asks for that login. */
export async function gitServer(options: { token?: string } = {}): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'git-server-'))
  const repository = join(root, 'acme', 'engine.git')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', stdio: 'pipe' })
  execFileSync('git', ['init', '--quiet', '--bare', repository])
  const requests: GitServer['requests'] = []
  const http = createServer((request, response) => {
    const { method = '', url = '', headers, rawHeaders } = request
    const logins = rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'authorization')
    requests.push({ method, path: url, logins })
    const fault = server.fault(request)
    if (fault === 'silence') return
    if (fault === 'hang up') return void request.socket.destroy()
    if (fault !== null && typeof fault === 'object') return void response.writeHead(fault.status).end('no\n')
    const login = options.token && `Basic ${Buffer.from(`x-access-token:${options.token}`).toString('base64')}`
    if (login && headers.authorization !== login) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    }
    serve(root, request, response, fault !== null)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: GitServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/acme/engine.git`,
    repository,
    requests,
    fault: () => null,
    git,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await rm(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  return server
}

function serve(root: string, request: IncomingMessage, response: ServerResponse, isCut: boolean): void {
  const url = new URL(request.url ?? '/', 'http://x')
  const { headers } = request
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'gate',
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      ...(headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: headers['content-length'] }),
    },
  })
  const chunks: Buffer[] = []
  request.pipe(backend.stdin)
  backend.stdin.on('error', () => {})
  backend.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk))
  backend.on('close', () => {
    if (isCut) return void request.socket.destroy()
    const answer = Buffer.concat(chunks)
    const end = answer.indexOf('\r\n\r\n')
    const lines = answer.toString('latin1', 0, end).split('\r\n')
    const fields = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    const { Status: status, ...own } = Object.fromEntries(fields) as Record<string, string>
    response.writeHead(Number.parseInt(status ?? '200', 10), own).end(answer.subarray(end + 4))
  })
}
