import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, canonicalSha256, type JsonValue } from '../../../src/core/kernel/canonical.ts'
import { sha256Hex } from '../../../src/core/kernel/hash.ts'

describe('canonicalJson', () => {
  it('sorts keys by UTF-16 code units and writes numbers as RFC 8785 does', () => {
    expect(canonicalJson({ b: [1e21, 1.0, 0.1, -0], a: 'é\u20ac', '\u{1F600}': null, '\uFB33': true })).toBe(
      '{"a":"é€","b":[1e+21,1,0.1,0],"😀":null,"\uFB33":true}',
    )
  })

  it('refuses what JSON cannot say', () => {
    expect(() => canonicalJson(Number.NaN)).toThrow(/NaN/)
    expect(() => canonicalJson(undefined as unknown as JsonValue)).toThrow(/no canonical JSON form/)
  })

  it('reads back as the same value, and hashes the same in any key order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Record<string, JsonValue>
        const reversed = Object.fromEntries(Object.entries(plain).toReversed())
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain)
        expect(canonicalSha256(reversed)).toBe(canonicalSha256(plain))
      }),
    )
  })
})

describe('sha256Hex', () => {
  it('hashes bytes and the UTF-8 of a text alike', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(sha256Hex('€')).toBe(sha256Hex(new Uint8Array([0xe2, 0x82, 0xac])))
  })
})
