import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { startNullServer } from '../../../../src/adapters/calibration/null-server-process.ts'
import { calibrationShape, nullForm } from '../../../../src/adapters/calibration/null-shape.ts'
import { tokenChunks } from '../../../../src/adapters/calibration/null-stream.ts'
import { RequestFraming } from '../../../../src/adapters/calibration/request-framing.ts'
import { createReplay } from '../../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { AnswerStream } from '../../../../src/core/stream/answer-stream.ts'
import type { CalibrationNeed } from '../../../../src/core/telemetry/calibration-need.ts'
import { PLAIN_NEED } from '../../../../src/core/telemetry/calibration-need.ts'

const SERVER = join(import.meta.dirname, '../../../../src/entry/null-server.ts')
const need: CalibrationNeed = { ...PLAIN_NEED, milliRps: 1000 }
const plan = { stepMs: 10, form: nullForm(need) }
const never = new AbortController().signal

const folder = mkdtempSync(join(tmpdir(), 'null-server-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program in a file of its own. */
function program(text: string): string {
  const path = join(folder, `${text.length}-${Math.abs(text.charCodeAt(0))}.mjs`)
  writeFileSync(path, text)
  return path
}

describe('an answer of the null server', () => {
  test.each(['vllm', 'openai'] as const)('is a whole one of the ordered length, as %s speaks', (dialect) => {
    for (const endpoint of ['completions', 'chat'] as const) {
      for (const tokens of [1, 2, 40]) {
        const form = nullForm({ ...need, dialect, endpoint })
        const stream = new AnswerStream({
          shape: endpoint,
          outputTokens: tokens,
          continuousUsage: form.continuousUsage,
        })
        const chunks = tokenChunks(form, tokens)
        for (const [index, chunk] of chunks.entries()) stream.push(bodyOf(chunk), index)
        const answer = stream.finish('clean', tokens)
        expect(answer).toMatchObject({ status: 'ok', outputTokens: tokens, chunks: tokens, firstTokenUs: 0 })
        expect(answer.lastTokenUs).toBe(tokens - 1)
      }
    }
  })
})

/** What an HTTP chunk holds. */
function bodyOf(chunk: Buffer): Buffer {
  const size = chunk.indexOf('\r\n')
  const length = Number.parseInt(chunk.toString('latin1', 0, size), 16)
  return chunk.subarray(size + 2, size + 2 + length)
}

describe('a connection’s requests', () => {
  const request = (id: string, body: string) =>
    `POST /v1/completions HTTP/1.1\r\nhost: x\r\nX-Request-Id: ${id}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  test('are the same however their bytes are split', () => {
    const bodies = fc.array(fc.stringMatching(/^[a-z\r\n:-]{0,60}$/), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(bodies, fc.array(fc.nat({ max: 300 }), { maxLength: 12 }), (texts, cuts) => {
        const framing = new RequestFraming()
        for (const [index, text] of texts.entries()) {
          const bytes = Buffer.from(request(`r-${index}`, text))
          const at = [...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b)
          const parts = [0, ...at].map((from, part) => bytes.subarray(from, at[part] ?? bytes.length))
          const found = parts.filter(({ length }) => length > 0).map((part) => framing.push(part))
          expect(found.pop()).toEqual({ requestId: `r-${index}` })
          expect(found.every((one) => one === null)).toBe(true)
        }
      }),
    )
  })

  test.each([
    ['has no id', 'POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n'],
    ['has no length', 'POST / HTTP/1.1\r\nx-request-id: r-1\r\n\r\n'],
    ['has a body that goes on', `${request('r-1', 'abc')}more`],
    ['never ends its head', `GET / HTTP/1.1\r\n${'x: y\r\n'.repeat(20_000)}`],
  ])('are refused where one %s', (_, text) => {
    expect(new RequestFraming().push(Buffer.from(text))).toBe('refused')
  })
})

describe('the null server’s process', () => {
  test('answers what was ordered, and knows when it did on the clock that the client has', async () => {
    const clock = systemClock()
    await using server = await startNullServer(SERVER, plan)
    await server.order([['r-00001', 5]])
    const row = { id: 'r-00001', class: 'plain', offsetUs: 0, inputTokens: 256, outputTokens: 5 }
    const startUs = clock.nowUs()
    const record = await createReplay(clock).send(calibrationShape(need), { index: 0, url: server.url }, row, never)
    const endUs = clock.nowUs()
    expect(record).toMatchObject({ status: 'ok', outputTokens: 5 })
    const [truth] = await server.log()
    if (!truth) throw new Error('the request is not in the log')
    expect([truth.id, truth.tokens]).toEqual(['r-00001', 5])
    expect(startUs).toBeLessThan(truth.receivedUs)
    expect(truth.receivedUs).toBeLessThan(truth.firstUs)
    expect(truth.firstUs).toBeLessThan(truth.lastUs)
    expect(truth.lastUs).toBeLessThan(endUs)
    expect(await server.log()).toEqual([])
  })

  test('turns away what was not ordered', async () => {
    await using server = await startNullServer(SERVER, plan)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nx-request-id: r-00009\r\ncontent-length: 0\r\n\r\n')
    const [said] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(said.toString()).toMatch(/^HTTP\/1\.1 404 /)
  })

  test.each([
    ['throws', 'throw new Error("EPERM: no port")', /exit code 1: .*EPERM: no port/],
    ['ends', 'process.exit(3)', /exit code 3/],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', /SIGKILL/],
  ])('that %s at its start says so', async (_, text, said) => {
    await expect(startNullServer(program(text), plan)).rejects.toThrow(said)
  })

  test('sees nothing of our environment, nor of our flags', async () => {
    const telling = 'throw new Error(`saw ${process.env.PATH ?? "nothing"}, ${process.execArgv.length} flags`)'
    await expect(startNullServer(program(telling), plan)).rejects.toThrow(/saw nothing, 0 flags/)
  })

  test('that ends later is told by the next question', async () => {
    const dying = 'process.on("message", () => process.exit(7)); process.send({ port: 1 })'
    await using server = await startNullServer(program(dying), plan)
    await expect(server.log()).rejects.toThrow(/exit code 7/)
    expect(server.ended).toMatch(/exit code 7/)
    await expect(server.order([])).rejects.toThrow(/exit code 7/)
  })

  test('ends when the process that started it is killed', async () => {
    const parent = program(`
      import { fork } from 'node:child_process'
      const plan = ${JSON.stringify(JSON.stringify(plan))}
      const child = fork(${JSON.stringify(SERVER)}, [plan], { execArgv: [] })
      child.once('message', () => process.stdout.write(String(child.pid)))`)
    const started = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [pid] = (await once(started.stdout, 'data')) as [Buffer]
    started.kill('SIGKILL')
    await expect.poll(() => isAlive(Number(pid.toString()))).toBe(false)
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
