import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engineLog } from '../../../../src/adapters/engine/engine-log.ts'
import { secretMask } from '../../../../src/adapters/system/secret-mask.ts'

function logged(chunks: readonly Buffer[], secrets: readonly string[] = []): string[] {
  const printed: string[] = []
  const log = engineLog({ write: (chunk) => printed.push(chunk) }, secretMask(secrets))
  for (const chunk of chunks) log.take(0, chunk, 'stdout')
  log.finish()
  return printed
}

/** The bytes, cut at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
}

const text = 'loading ünïcode weights\r\nthe token is s3cret-token!\nno end'
const lines = ['[r0] loading ünïcode weights\n', '[r0] the token is ***!\n', '[r0] no end\n']

describe('the engine’s log', () => {
  it('has the same whole lines however the output was split', () => {
    const places = fc.array(fc.nat(200), { maxLength: 8 })
    const isSame = (at: number[]) => isDeepStrictEqual(logged(cut(Buffer.from(text), at), ['s3cret-token']), lines)
    const outcome = fc.check(fc.property(places, isSame))
    expect(outcome.counterexample).toBeNull()
  })

  it('cuts a line without end, and never inside a secret', () => {
    const secret = 'a-secret-of-some-length'
    const places = fc.array(fc.nat(60_000), { maxLength: 5 })
    const outcome = fc.check(
      fc.property(fc.integer({ min: 16_000, max: 17_000 }), places, (before, at) => {
        const endless = Buffer.from(`${'x'.repeat(before)}${secret}${'y'.repeat(20_000)}`)
        const all = logged(cut(endless, at), [secret])
          .map((line) => line.slice(5, -1))
          .join('')
        return !all.includes('secret') && all.includes('***')
      }),
    )
    expect(outcome.counterexample).toBeNull()
  })

  it('masks each line of a secret of several, the longer of two first, and leaves short words alone', () => {
    const secrets = ['-----KEY-----\nabcdefgh\n', 'abcd', 'no']
    expect(logged([Buffer.from('abcdefgh abcd no\n')], secrets)).toEqual(['[r0] *** *** no\n'])
  })

  it('keeps replicas and streams apart and remembers their last lines, fit for a terminal', () => {
    const printed: string[] = []
    const log = engineLog({ write: (chunk) => printed.push(chunk) }, secretMask([]))
    log.take(0, Buffer.from('a'), 'stdout')
    log.take(0, Buffer.from('error\n'), 'stderr')
    log.take(1, Buffer.from('one\n\u001B[31mtwo\u0007\n'), 'stdout')
    log.take(0, Buffer.from('b\n'), 'stdout')
    expect(printed).toEqual(['[r0] error\n', '[r1] one\n', '[r1] \u001B[31mtwo\u0007\n', '[r0] ab\n'])
    expect(log.lastLines(1, 5)).toEqual(['one', 'two'])
    expect(log.lastLines(1, 1)).toEqual(['two'])
    expect(log.lastLines(7, 5)).toEqual([])
  })

  it.each([
    ['long lines', `${'z'.repeat(16_000)}\n`],
    ['empty lines', '\n'],
    ['wide letters', `${'漢'.repeat(1000)}\n`],
    ['no line end', 'z'],
  ])('stops at its limit of bytes and says so: %s', (_, text) => {
    let bytes = 0
    const printed: string[] = []
    const sink = (chunk: string) => {
      bytes += Buffer.byteLength(chunk)
      printed.splice(0, 1, chunk)
    }
    const log = engineLog({ write: sink }, secretMask(['s3cret-token']))
    const chunk = Buffer.from(text.repeat(Math.ceil(1_000_000 / text.length)))
    for (let n = 0; n < 60; n += 1) log.take(0, chunk, 'stdout')
    expect(bytes).toBeLessThan(35_000_000)
    expect(printed).toEqual([expect.stringContaining('log cut')])
    log.take(0, Buffer.from('\nCUDA out of memory, said s3cret-'), 'stderr')
    log.take(0, Buffer.from('token\n'), 'stderr')
    expect(log.lastLines(0, 1)).toEqual(['CUDA out of memory, said ***'])
  })

  it('masks a secret in JSON and in an address too', () => {
    const secret = 'a"b\\c/d e'
    const shown = [JSON.stringify({ token: secret }), `https://hub/?t=${encodeURIComponent(secret)}`, secret]
    expect(logged([Buffer.from(`${shown.join('\n')}\n`)], [secret])).toEqual([
      '[r0] {"token":"***"}\n',
      '[r0] https://hub/?t=***\n',
      '[r0] ***\n',
    ])
  })
})
