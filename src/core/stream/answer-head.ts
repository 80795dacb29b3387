import { type ErrorCode, refusalStatus, type Status } from './error-codes.ts'

/**
 * What an answer's head alone decides: any status but 200 (a redirect too: none is followed), a body that is no event stream, an
 * encoding that was not asked for. Null where the body is to be read.
 */
export function headFailure(
  httpStatus: number,
  contentType: string | null | undefined,
  contentEncoding: string | null | undefined,
): { status: Status; errorCode: ErrorCode } | null {
  if (httpStatus !== 200) return { status: refusalStatus(httpStatus), errorCode: 'http_status' }
  const type = (contentType ?? '').split(';', 1)[0] ?? ''
  if (type.trim().toLowerCase() !== 'text/event-stream') return { status: 'error', errorCode: 'not_an_event_stream' }
  const encoding = (contentEncoding ?? '').trim().toLowerCase()
  if (encoding !== '' && encoding !== 'identity') return { status: 'error', errorCode: 'unexpected_encoding' }
  return null
}
