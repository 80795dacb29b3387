import { errors } from 'undici'
import { describe, expect, it } from 'vitest'
import { failureCode } from '../../../../src/adapters/replay/undici-transport.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })

describe('failureCode', () => {
  it.each([
    ['EMFILE', 'client_resource'],
    ['EADDRNOTAVAIL', 'client_resource'],
    ['UND_ERR_INVALID_ARG', 'client_resource'],
    ['ERR_ASSERTION', 'client_resource'],
    ['ECONNREFUSED', 'connect_failed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect_failed'],
    ['ECONNRESET', 'connection_reset'],
    ['HPE_INVALID_EOF_STATE', 'connection_reset'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
  ])('takes %s for %s', (code, expected) => {
    expect(failureCode(coded(code))).toBe(expected)
  })

  it('takes lengths that are none for bad HTTP', () => {
    expect(failureCode(new errors.ResponseContentLengthMismatchError())).toBe('bad_http')
    const unparsed = Object.assign(new errors.HTTPParserError('x'), { code: 'HPE_INVALID_CONSTANT' })
    expect(failureCode(unparsed)).toBe('bad_http')
  })

  it('takes an exception without a code for the client’s own', () => {
    expect(failureCode(new TypeError('x is not a function'))).toBe('client_resource')
  })
})
