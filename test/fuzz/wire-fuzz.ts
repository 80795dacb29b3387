// Sends recorded answers over sockets, many at once, in other framings and parts: `node test/fuzz/wire-fuzz.ts [SECONDS] [SEED] [TRANSPORT]`.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Ending } from '../../src/adapters/replay/ending.ts'
import { Exchange } from '../../src/adapters/replay/exchange.ts'
import { openNetTransport } from '../../src/adapters/replay/net-transport.ts'
import type { Transport, TransportInit } from '../../src/adapters/replay/transport.ts'
import { openUndiciTransport } from '../../src/adapters/replay/undici-transport.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { PLAIN_CONNECTION } from '../../src/adapters/system/engine-connection.ts'
import { storedExpectations } from '../unit/stream/expected.ts'
import type { Recorded } from '../unit/stream/recorded.ts'
import { answersOf, situations } from '../unit/stream/recorded.ts'
import { Draw } from './stream-mutations.ts'

interface WireFuzzResult {
  answers: number
  connections: number
  /** What went wrong, with the number of the answer; at most ten. */
  faults: string[]
}

interface Sample {
  answer: Recorded
  /** What its record must hold, beside times. */
  expected: Record<string, unknown>
}

/** Requests at once. */
const LANES = 16
const TIMED = /Byte$/
const deadlines = { wholeUs: 30_000_000, firstTokenUs: null, stallUs: null }
const clock = systemClock()
const loopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Sends answers drawn from the seed, on kept connections, until told to stop. */
export async function fuzzWire(
  seed: number,
  isOver: (answers: number) => boolean,
  open: (init: TransportInit) => Transport = openNetTransport,
): Promise<WireFuzzResult> {
  const samples = situations().flatMap((situation) => samplesOf(situation))
  const spoken = new Map<string, (socket: Socket) => Promise<void>>()
  const result: WireFuzzResult = { answers: 0, connections: 0, faults: [] }
  const server = createServer({ noDelay: true }, (socket) => {
    result.connections += 1
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      const id = /x-request-id: (\S+)/.exec(bytes.toString('latin1'))?.[1] ?? ''
      void spoken.get(id)?.(socket)
      spoken.delete(id)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const targets = [{ index: 0, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }]
  const limits = { idleConnectionMs: 60_000, connectTimeoutMs: 5000, spareConnections: 4 }
  {
    await using transport = open({ targets, connection: PLAIN_CONNECTION, ...limits, clock })
    const lane = async (): Promise<void> => {
      while (!isOver(result.answers) && result.faults.length < 10) {
        const number = seed + result.answers
        result.answers += 1
        const draw = new Draw(number)
        const sample = draw.of(samples)
        spoken.set(String(number), (socket) => speak(socket, framed(sample.answer, draw), draw))
        const fault = faultOf(sample, await ask(transport, sample, String(number)))
        if (fault !== null) result.faults.push(`answer ${number}, ${sample.answer.name}: ${fault}`)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  server.close()
  return result
}

function samplesOf(situation: string): Sample[] {
  const { streams, heads } = storedExpectations(situation)
  return answersOf(situation).flatMap((answer) => {
    const record = streams.get(answer.name) ?? heads.get(answer.name)
    return record
      ? [{ answer, expected: Object.fromEntries(Object.entries(record).filter(([key]) => !TIMED.test(key))) }]
      : []
  })
}

/** The answer in another framing, and whether its connection must be closed behind it. */
function framed({ raw, body, isWhole }: Recorded, draw: Draw): { bytes: Buffer; closes: boolean } {
  const [status = '', ...rest] = raw.toString('latin1', 0, raw.indexOf('\r\n\r\n')).split('\r\n')
  const fields = rest.filter((line) => !/^(transfer-encoding|content-length|connection|keep-alive):/i.test(line))
  const hints = draw.of(['', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'])
  const head = (...more: string[]): Buffer => {
    const lines = [
      status.replace('HTTP/1.0', 'HTTP/1.1'),
      `x-noise: ${'n'.repeat(draw.below(3000))}`,
      ...fields,
      ...more,
    ]
    return Buffer.from(`${hints}${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  }
  const way = draw.of(['length', 'chunks', 'chunks', ...(isWhole ? ['until_close'] : [])])
  const closes = !isWhole || way === 'until_close' || draw.below(5) === 0
  if (way === 'until_close') return { bytes: Buffer.concat([head(), body]), closes }
  if (way === 'chunks')
    return { bytes: Buffer.concat([head('transfer-encoding: chunked'), ...chunked(body, isWhole, draw)]), closes }
  const missing = isWhole ? 0 : 1 + draw.below(1000)
  return { bytes: Buffer.concat([head(`content-length: ${body.length + missing}`), body]), closes }
}

function chunked(body: Buffer, isWhole: boolean, draw: Draw): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const size = Math.min(body.length - at, 1 + draw.below(draw.of([5, 4000, 4000])))
    const digits = draw.of(['', '000']) + draw.of([size.toString(16), size.toString(16).toUpperCase()])
    parts.push(
      Buffer.from(`${digits}${draw.of(['', '', ';x="y"'])}\r\n`),
      body.subarray(at, at + size),
      Buffer.from('\r\n'),
    )
    at += size
  }
  return isWhole ? [...parts, Buffer.from(`0\r\n${draw.of(['', '', 'x-sum: 1\r\nx-more:\r\n'])}\r\n`)] : parts
}

/** Writes the bytes in parts, with loop turns in between. */
async function speak(socket: Socket, { bytes, closes }: { bytes: Buffer; closes: boolean }, draw: Draw): Promise<void> {
  const most = draw.of([bytes.length, 16, 300, 20_000])
  const turnEach = most === 16 ? 20 : 2
  for (let at = 0; at < bytes.length && !socket.destroyed;) {
    const size = 1 + draw.below(most)
    socket.write(bytes.subarray(at, at + size))
    at += size
    if (draw.below(turnEach) === 0) await loopTurn()
  }
  if (closes) socket.end()
}

function ask(transport: Transport, { answer }: Sample, id: string): Promise<Ending[]> {
  const endings: Ending[] = []
  return new Promise((resolve) => {
    const exchange = new Exchange({
      expected: answer.expectation,
      deadlines,
      cancelAfterTokens: null,
      nowUs: () => clock.nowUs(),
      onSent() {},
      onEnd: (ending) => void endings.push(ending),
      onClosed: () => resolve(endings),
    })
    const request = { path: '/', headers: ['x-request-id', id], body: Buffer.from('{}') }
    transport.dispatch(0, request, exchange)
  })
}

function faultOf({ expected }: Sample, endings: Ending[]): string | null {
  const [ending] = endings
  if (!ending || endings.length > 1) return `ended ${endings.length} times`
  const { sentUs, firstTokenUs, gapsUs } = ending
  if (firstTokenUs !== null && (sentUs === null || firstTokenUs < sentUs)) return 'has a token from before it was sent'
  if (gapsUs.some((gap) => gap < 0)) return 'has a negative gap'
  const wrong = Object.entries(expected).find(
    ([key, should]) => JSON.stringify((ending as unknown as Record<string, unknown>)[key]) !== JSON.stringify(should),
  )
  if (!wrong) return null
  const [key, should] = wrong
  const is = (ending as unknown as Record<string, unknown>)[key]
  return `${key} is ${JSON.stringify(is)}, not ${JSON.stringify(should)} (${ending.errorCode})`
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 60)
  const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
  const until = performance.now() + seconds * 1000
  const open = process.argv[4] === 'undici' ? openUndiciTransport : openNetTransport
  const { answers, connections, faults } = await fuzzWire(seed, () => performance.now() > until, open)
  console.log(`seed ${seed}: ${answers} answers on ${connections} connections in ${seconds} s`)
  console.log(faults.length === 0 ? 'no fault' : faults.join('\n'))
  process.exitCode = faults.length === 0 ? 0 : 1
}
