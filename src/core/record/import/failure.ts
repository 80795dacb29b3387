import type { ErrorCode } from '../../stream/error-codes.ts'
import { refusalStatus } from '../../stream/error-codes.ts'
import type { ImportedRequest } from './imported-request.ts'

type Failure = Pick<ImportedRequest, 'status' | 'errorCode' | 'httpStatus'>

/** Reason phrases that a tool writes in place of the status (vLLM the phrase alone, SGLang with the body behind it). */
const PHRASES: readonly (readonly [phrase: string, status: number])[] = [
  ['Too Many Requests', 429],
  ['Service Unavailable', 503],
  ['Internal Server Error', 500],
  ['Bad Gateway', 502],
  ['Gateway Timeout', 504],
  ['Bad Request', 400],
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['Not Found', 404],
  ['Request Entity Too Large', 413],
  ['Unprocessable Entity', 422],
]

/** Words of Python's clients, the more special first. */
const WORDS: readonly (readonly [words: RegExp, code: ErrorCode])[] = [
  [/getaddrinfo|Name or service not known|Temporary failure in name resolution|ConnectorDNSError/, 'name_not_resolved'],
  [/SSL|certificate/i, 'tls_failed'],
  [/Connect(ion)?Timeout|Cannot connect|ConnectorError|ConnectError|[Cc]onnection ?[Rr]efused/, 'connect_failed'],
  [/ServerDisconnected|Connection ?reset|RemoteProtocolError|Server disconnected/i, 'connection_reset'],
  [/ClientPayloadError|TransferEncodingError|ContentLengthError|IncompleteRead/, 'cut_body'],
  [/time(d)? ?out/i, 'whole_deadline'],
  [/JSONDecodeError|Expecting value/, 'malformed_event'],
  [/Never received a valid chunk/, 'no_token'],
]

/**
 * A failed request's status and code from another tool's words: an HTTP status where there is one, else what the last line of the
 * message names (a Python traceback names its error there). Words that say none of ours leave the code empty.
 */
export function failureOf(message: string, httpStatus: number | null): Failure {
  const http = httpStatus ?? phraseStatus(message)
  if (http !== null) return { status: refusalStatus(http), errorCode: 'http_status', httpStatus: http }
  const last = message.trimEnd().split('\n').at(-1) ?? ''
  const errorCode = WORDS.find(([words]) => words.test(last))?.[1] ?? null
  return { status: errorCode === 'whole_deadline' ? 'timeout' : 'error', errorCode, httpStatus: null }
}

/** A number that is an HTTP status of failure, else null: some tools use codes of their own. */
export function httpFailure(code: number | null): number | null {
  return code !== null && Number.isInteger(code) && code >= 400 && code <= 599 && code !== 499 ? code : null
}

/** An error's type and message as the one line that `failureOf` looks at. */
export function oneLine(type: string, message: string): string {
  return `${type}: ${message.replaceAll(/\s+/g, ' ')}`
}

/** `HTTPStatusError: 503`, `Server error '503 Service Unavailable'`, `status code 429`. */
const STATUS_IN_WORDS = /\b(?:HTTP\w*|status(?: code)?|Server error|Client error)\W{1,3}([45]\d\d)\b/i

function phraseStatus(message: string): number | null {
  const told = STATUS_IN_WORDS.exec(message.slice(0, 1000))?.[1]
  if (told !== undefined) return Number(told)
  return PHRASES.find(([phrase]) => message === phrase || message.startsWith(`${phrase}:`))?.[1] ?? null
}
