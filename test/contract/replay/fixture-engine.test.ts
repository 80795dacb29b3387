import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createReplay } from '../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { testRows, testShape } from './shape.ts'
import { never, orderOn, watch } from './watch.ts'

const clock = systemClock()
const replay = createReplay(clock)

/** The embedded engine in a process of its own, ready. */
async function startEngine(...flags: string[]): Promise<AsyncDisposable & { url: string }> {
  const main = join(import.meta.dirname, '../../../fixtures/engine/main.ts')
  const child = spawn(process.execPath, [main, '--port', '0', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  // It says where it listens once it does.
  const [said] = (await Promise.race([once(child.stdout, 'data'), exit])) as [Buffer | number | null]
  const url = /http:\S+/.exec(String(said))?.[0]
  if (url === undefined) throw new Error(`the engine did not come up: ${said}`)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

describe('against the embedded engine', () => {
  it.each([
    ['completions', 200],
    ['chat', expect.any(Number)],
  ] as const)('measures a cohort of %s whole, with usage and cached tokens', async (endpoint, inputTokens) => {
    await using first = await startEngine()
    await using second = await startEngine()
    const targets = [first, second].map(({ url }, index) => ({ index, url }))
    const seen = watch()
    const rows = testRows(40, 1, 'r', { inputTokens: 200, outputTokens: 12 })
    const shape = testShape({ client: { endpoint } })
    const outcome = await replay.run(orderOn({ clock, targets }, { shape, blocks: [rows] }), seen, never)
    expect(seen.records).toHaveLength(40)
    expect(new Set(seen.records.map(({ errorCode }) => errorCode))).toEqual(new Set([null]))
    for (const record of seen.records) {
      expect(record).toMatchObject({ status: 'ok', inputTokens, outputTokens: 12, finishReason: 'length' })
      expect(record.cachedTokens).not.toBeNull()
      expect(record.gapUs).not.toBeNull()
      expect(record.firstTokenUs ?? 0).toBeGreaterThan(record.sentUs ?? Infinity)
    }
    expect(outcome).toMatchObject({ cohortRequests: 40, stoppedEarly: null })
  })

  it.each([
    ['reject_share=1', 'rejected', 'http_status'],
    ['error_share=1', 'error', 'in_stream_error'],
    ['cut_share=1', 'error', 'cut_body'],
    ['close_connections=1', 'error', 'connection_reset'],
  ])('tells %s', async (fault, status, errorCode) => {
    await using engine = await startEngine('--admin')
    const [name, value] = fault.split('=')
    const changed = await fetch(`${engine.url}/admin/faults`, {
      method: 'POST',
      body: JSON.stringify({ [String(name)]: Number(value) }),
    })
    expect(changed.status).toBe(200)
    const seen = watch()
    const order = orderOn({ clock, targets: [{ index: 0, url: engine.url }] }, { blocks: [testRows(5)] })
    await replay.run(order, seen, never)
    expect(seen.records.map((record) => [record.status, record.errorCode])).toEqual(
      Array.from({ length: 5 }, () => [status, errorCode]),
    )
  })
})
