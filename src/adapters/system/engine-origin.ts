import { EXIT, GateError } from '../../core/kernel/errors.ts'

/** The system's own limit (`sun_path`), its closing NUL taken off. */
const LONGEST_SOCKET_PATH = 107

/** The path of the socket that `unix:/run/engine.sock` names; null for a URL. */
export function socketPathOf(origin: string): string | null {
  return origin.startsWith('unix:') ? origin.slice('unix:'.length) : null
}

/**
 * An endpoint as the adapters take it: a URL whose path (a proxy's prefix) is kept, without a slash at its end; or `unix:/PATH`.
 *
 * @throws GateError `endpoint_invalid` (exit 64)
 */
export function engineOrigin(text: string): string {
  const socket = socketPathOf(text)
  const path = socket?.replace(/^\/\//, '') ?? ''
  const isPath = /^\/[^\0?#]+$/.test(path)
  if (isPath && Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return `unix:${path}`
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return url.href.replace(/\/+$/, '')
  }
  throw new GateError({
    code: 'endpoint_invalid',
    message: `${JSON.stringify(text.slice(0, 200))} is no endpoint`,
    hint: isPath
      ? `give a socket's path of at most ${LONGEST_SOCKET_PATH} bytes: the system takes no longer one`
      : 'give http://HOST:PORT, https://HOST or unix:/PATH, without user, query or fragment',
    exitCode: EXIT.usage,
  })
}
