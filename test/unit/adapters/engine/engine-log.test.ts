import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engineLog } from '../../../../src/adapters/engine/engine-log.ts'
import { secretMask } from '../../../../src/adapters/engine/secret-mask.ts'

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

  it('stops at its limit and says so', () => {
    let written = 0
    const printed: string[] = []
    const log = engineLog(
      { write: (chunk) => ((written += chunk.length), printed.splice(0, 1, chunk)) },
      secretMask([]),
    )
    const chunk = Buffer.from(`${'z'.repeat(16_000)}\n`.repeat(64))
    for (let n = 0; n < 100; n += 1) log.take(0, chunk, 'stdout')
    expect(written).toBeLessThan(70_000_000)
    expect(printed).toEqual([expect.stringContaining('log cut')])
  })
})
