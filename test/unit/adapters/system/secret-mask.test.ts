import { describe, expect, it } from 'vitest'
import { secretMask } from '../../../../src/adapters/system/secret-mask.ts'

describe('secretMask', () => {
  const { mask, maskCut, longest } = secretMask(['tok/en "1"', 'token-of-some-length', 'no'])

  it('takes out what is whole, as it is, in JSON and in an address; what is too short to be one stays', () => {
    expect(mask('a tok/en "1" b')).toBe('a *** b')
    expect(mask(JSON.stringify({ said: 'tok/en "1"' }))).toBe('{"said":"***"}')
    expect(mask(`?key=${encodeURIComponent('tok/en "1"')}`)).toBe('?key=***')
    expect(mask('no token-of-some')).toBe('no token-of-some')
    expect(longest).toBe('token-of-some-length'.length)
  })

  it('takes out what a cut left of one at the end, too', () => {
    expect(maskCut('said token-of-some-length')).toBe('said ***')
    expect(maskCut('said token-of-some-len')).toBe('said ***')
    expect(maskCut('said token-of')).toBe('said ***')
    expect(maskCut('said token')).toBe('said token')
    expect(maskCut('token-of-some, it said')).toBe('token-of-some, it said')
    expect(maskCut('')).toBe('')
  })
})
