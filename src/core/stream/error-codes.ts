import type { Blame } from '../kernel/evidence.ts'

/** How a scheduled request ends. */
export const STATUSES = ['ok', 'error', 'timeout', 'rejected', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]

interface ErrorCodeMeaning {
  status: Exclude<Status, 'ok'>
  /** Whom it speaks of. Blamed on the client or the host, it makes the point invalid; on the engine, it counts against it. */
  blames: Blame
  text: string
}

const engine = (text: string, status: ErrorCodeMeaning['status'] = 'error'): ErrorCodeMeaning => ({
  status,
  blames: 'engine',
  text,
})
const client = (text: string): ErrorCodeMeaning => ({ status: 'error', blames: 'client', text })

/** Every `error_code` of requests.csv: the status it gives and whom it blames. */
export const ERROR_CODES = {
  // transport
  connect_failed: engine('the connection was refused or not answered'),
  connection_reset: engine('the connection was reset or closed before the answer was whole'),
  tls_failed: engine('no TLS session came about'),
  name_not_resolved: client('the host name has no address'),
  // the answer's head
  bad_http: engine('the answer is not HTTP'),
  headers_too_large: engine('the answer’s headers are larger than 64 KiB'),
  http_status: engine('another HTTP status than 200; 429 and 503 are rejections'),
  not_an_event_stream: engine('a 200 whose content type is not text/event-stream'),
  unexpected_encoding: engine('a compressed answer, although identity alone was asked for'),
  // the stream
  malformed_event: engine('an event that is not JSON of the wire shape, is over the size limit or stops half way'),
  answered_early: engine('a token before the request was sent whole'),
  in_stream_error: engine('an error inside a 200; its code 429 or 503 is a rejection'),
  engine_abort: engine('the finish reason says that the engine gave up: abort, error, cancelled or timeout'),
  cut_body: engine('the body was cut off'),
  done_without_finish: engine('[DONE] before every choice had a finish reason'),
  end_without_finish: engine('the body ended before every choice had a finish reason'),
  no_token: engine('a whole answer without a token'),
  wrong_length: engine('another number of output tokens than scheduled'),
  usage_missing: engine('neither usage nor token ids say how many tokens came'),
  // deadlines and our own choice
  first_token_deadline: engine('no token before the first-token deadline', 'timeout'),
  stall_deadline: engine('no token for longer than the stall deadline', 'timeout'),
  whole_deadline: engine('not whole before the request’s deadline', 'timeout'),
  planned_cancellation: { status: 'cancelled', blames: 'client', text: 'abandoned as the schedule planned' },
  // the client itself
  client_resource: client('the client ran out of ports, descriptors or memory'),
} as const satisfies Record<string, ErrorCodeMeaning>

export type ErrorCode = keyof typeof ERROR_CODES

const clientCodes = new Set<string | null>(
  Object.entries(ERROR_CODES).flatMap(([code, { blames }]) => (blames === 'client' ? [code] : [])),
)

/** Whether what a record names as its error is the client's own doing. */
export function isOwnDoing(errorCode: string | null): boolean {
  return clientCodes.has(errorCode)
}

const systemCodes = new Map<string, ErrorCode>([
  ['ECONNREFUSED', 'connect_failed'],
  ['ETIMEDOUT', 'connect_failed'],
  ['EHOSTUNREACH', 'connect_failed'],
  ['ENETUNREACH', 'connect_failed'],
  ['ENOENT', 'connect_failed'],
  ['EACCES', 'connect_failed'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_failed'],
  ['ENOTFOUND', 'name_not_resolved'],
  ['EAI_AGAIN', 'name_not_resolved'],
  ['EADDRNOTAVAIL', 'client_resource'],
  ['EADDRINUSE', 'client_resource'],
  ['EMFILE', 'client_resource'],
  ['ENFILE', 'client_resource'],
  ['ENOBUFS', 'client_resource'],
  ['ENOMEM', 'client_resource'],
  ['UND_ERR_HEADERS_OVERFLOW', 'headers_too_large'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['EPROTO', 'tls_failed'],
])

/** The code of a failed exchange, from the operating system's, the TLS library's or the HTTP parser's name for it. */
export function transportErrorCode(systemCode: string | undefined): ErrorCode {
  const known = systemCodes.get(systemCode ?? '')
  if (known) return known
  if (systemCode?.startsWith('HPE_')) return 'bad_http'
  if (/^ERR_(TLS|SSL)_|CERT|_SIGNATURE$|^UNABLE_TO_/.test(systemCode ?? '')) return 'tls_failed'
  return 'connection_reset'
}

/** The status that an HTTP status or an error's code inside a stream gives: the same overload is refused both ways. */
export function refusalStatus(code: number | null): 'rejected' | 'error' {
  return code === 429 || code === 503 ? 'rejected' : 'error'
}
