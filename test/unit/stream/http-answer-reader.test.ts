import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Client } from 'undici'
import { describe, expect, it } from 'vitest'
import { HttpAnswerReader } from '../../../src/core/stream/http-answer-reader.ts'
import { spokenAnswers } from './http-answers.ts'
import type { SpokenAnswer } from './http-answers.ts'

interface Seen {
  status: number | null
  body: string
  failure: string | null
  reusable: boolean
}

/** What the reader makes of the bytes, read in parts that end at these places. */
function read(bytes: Buffer, cuts: readonly number[] = []): Seen {
  const seen: Seen = { status: null, body: '', failure: null, reusable: false }
  const reader = new HttpAnswerReader({
    onHead: ({ status }) => void (seen.status = status),
    onBody: (part) => void (seen.body += Buffer.from(part).toString('latin1')),
  })
  // One buffer for every read, as sockets use it: what is kept must have been copied.
  const shared = Buffer.alloc(bytes.length)
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    shared.fill(0x21)
    shared.set(bytes.subarray(from, to))
    reader.push(shared, to - from)
    from = to
  }
  seen.reusable = reader.isReusable
  reader.close()
  if (!reader.isEnded) seen.failure = reader.failure
  return seen
}

const latin = (text: string) => Buffer.from(text, 'latin1')

function expectedOf({ expected }: SpokenAnswer): Seen {
  if ('failure' in expected) {
    const { failure, status = null, body = '' } = expected
    return { status, body, failure, reusable: false }
  }
  return { ...expected, failure: null }
}

/** Status and body by undici, or null where it reports an error. */
async function undiciReads(bytes: Buffer): Promise<{ status: number; body: string } | null> {
  const server = createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(bytes)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new Client(`http://127.0.0.1:${port}`, { maxHeaderSize: 66_560 })
  try {
    const { statusCode, body } = await client.request({ path: '/', method: 'POST', body: '{}' })
    return { status: statusCode, body: Buffer.from(await body.arrayBuffer()).toString('latin1') }
  } catch {
    return null
  } finally {
    await client.destroy()
    server.close()
  }
}

describe('HttpAnswerReader', () => {
  it.each(spokenAnswers)('reads $name', (answer) => {
    expect(read(latin(answer.bytes))).toEqual(expectedOf(answer))
  })

  it.each(spokenAnswers.filter(({ bytes }) => bytes.length < 1000))('reads $name the same at every split', (answer) => {
    const bytes = latin(answer.bytes)
    const expected = expectedOf(answer)
    for (let cut = 0; cut <= bytes.length; cut++) expect(read(bytes, [cut])).toEqual(expected)
    expect(
      read(
        bytes,
        Array.from(bytes, (_, index) => index),
      ),
    ).toEqual(expected)
  })

  it.each(spokenAnswers.filter(({ bytes }) => bytes.length >= 1000))(
    'holds the limit on $name however it is split',
    (answer) => {
      const bytes = latin(answer.bytes)
      for (const size of [1, 7, 1000, 16_384, 65_535]) {
        const cuts = Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => (index + 1) * size)
        expect(read(bytes, cuts)).toEqual(expectedOf(answer))
      }
    },
  )

  it.each(spokenAnswers)('agrees with llhttp on $name, or is known to be stricter', async (answer) => {
    const expected = expectedOf(answer)
    const isWhole = expected.failure === null
    const theirs = await undiciReads(latin(answer.bytes))
    const accepts = answer.llhttp ? answer.llhttp === 'accepts' : isWhole
    expect(theirs !== null).toBe(accepts)
    // Where we are stricter, what llhttp made of it is of no interest.
    const { status, body } = isWhole ? expected : (theirs ?? { status: null, body: null })
    expect(theirs).toEqual(accepts ? { status, body } : null)
  })

  it('reads the chunks of any body, however they and the reads are cut', () => {
    const part = fc.uint8Array({ minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 20 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 400 })),
        (parts, sizes) => {
          const chunks = parts.map(
            (bytes) => `${bytes.length.toString(16)}\r\n${Buffer.from(bytes).toString('latin1')}\r\n`,
          )
          const bytes = latin(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`)
          const cuts: number[] = []
          for (let at = 0; at < bytes.length;) {
            at += sizes.next().value ?? 1
            if (at < bytes.length) cuts.push(at)
          }
          const body = Buffer.concat(parts).toString('latin1')
          expect(read(bytes, cuts)).toEqual({ status: 200, body, failure: null, reusable: true })
        },
      ),
    )
  })

  it('makes the same of broken bytes at any split, and never throws', () => {
    const corpus = spokenAnswers.filter(({ bytes }) => bytes.length < 1000).map(({ bytes }) => latin(bytes))
    const change = fc.record({
      at: fc.nat(999),
      byte: fc.oneof(fc.constantFrom(0, 10, 13, 32, 48, 58, 59), fc.nat(255)),
    })
    const broken = fc.tuple(fc.constantFrom(...corpus), fc.array(change, { minLength: 1, maxLength: 4 }))
    fc.assert(
      fc.property(broken, fc.array(fc.nat(999), { maxLength: 6 }), ([original, changes], at) => {
        const bytes = Buffer.from(original)
        for (const { at: index, byte } of changes) if (bytes.length > 0) bytes[index % bytes.length] = byte
        const cuts = at.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)
        expect(read(bytes, cuts)).toEqual(read(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  it('reads one answer after the other on a connection', () => {
    const bodies: string[] = []
    const reader = new HttpAnswerReader({
      onHead() {},
      onBody: (part) => void bodies.push(Buffer.from(part).toString()),
    })
    for (const { bytes, expected } of spokenAnswers) {
      if ('failure' in expected || !expected.reusable) continue
      bodies.length = 0
      reader.restart()
      reader.push(latin(bytes))
      expect([reader.isReusable, bodies.join('')]).toEqual([true, expected.body])
    }
    reader.push(latin('x'))
    expect(reader.isReusable).toBe(false)
    reader.restart()
    reader.push(latin('x'))
    expect(reader.failure).toBe('bad_http')
  })

  it('takes nothing from a read after it was stopped', () => {
    const parts: string[] = []
    const reader: HttpAnswerReader = new HttpAnswerReader({
      onHead() {},
      onBody(part) {
        parts.push(Buffer.from(part).toString())
        reader.stop()
      },
    })
    reader.push(latin('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n2\r\nho\r\n0\r\n\r\n'))
    reader.close()
    expect([parts, reader.isEnded, reader.isReusable, reader.failure]).toEqual([['hi'], false, false, null])
  })

  it('says how long the server keeps a connection', () => {
    const seconds = (field: string): number | null => {
      const reader = new HttpAnswerReader({ onHead() {}, onBody() {} })
      reader.push(latin(`HTTP/1.1 200 OK\r\n${field}content-length: 0\r\n\r\n`))
      return reader.keepAliveSeconds
    }
    expect(seconds('')).toBeNull()
    expect(seconds('keep-alive: timeout=5\r\n')).toBe(5)
    expect(seconds('Keep-Alive: max=3, TIMEOUT="7"\r\n')).toBe(7)
    expect(seconds('keep-alive: xtimeout=5\r\n')).toBeNull()
  })
})
