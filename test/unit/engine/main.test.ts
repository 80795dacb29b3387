import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseOptions, usageText } from '../../../fixtures/engine/server/options.ts'
import { WORKED_EXAMPLE_8XH100 } from '../../../fixtures/engine/model/worked-example.ts'
import { complete, readEvents } from './started-engine.ts'

const entry = join(import.meta.dirname, '../../../fixtures/engine/main.ts')

function start(...flags: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [entry, '--port', '0', ...flags])
}

async function urlOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return /http:\S+/.exec(line.toString())![0]
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<{ code: number | null; error: string }> {
  let error = ''
  child.stderr.on('data', (part: Buffer) => (error += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, error }
}

describe('the engine as a process', () => {
  test('on SIGTERM takes no more, lets a running stream end, and exits with 0', async () => {
    const child = start('--base-us', '2000', '--drain-seconds', '10')
    const ended = endOf(child)
    const url = await urlOf(child)
    const response = await complete(url, { stream: true, max_tokens: 100, return_token_ids: true })
    child.kill('SIGTERM')
    await expect
      .poll(() =>
        fetch(`${url}/health`).then(
          () => 'up',
          () => 'gone',
        ),
      )
      .toBe('gone')
    const { chunks, last } = await readEvents(response)
    expect([chunks.length, last]).toEqual([100, '[DONE]'])
    expect((await ended).code).toBe(0)
  })

  test('cuts what has not ended by then', async () => {
    const child = start('--base-us', '50000', '--drain-seconds', '0.1')
    const ended = endOf(child)
    const response = await complete(await urlOf(child), { stream: true, max_tokens: 2000 })
    child.kill('SIGTERM')
    await expect(response.text()).rejects.toThrow('terminated')
    expect((await ended).code).toBe(0)
  })

  test('crashes with the code that it was told', async () => {
    const child = start('--fault', 'crash_after_requests=1', '--fault', 'crash_exit_code=42')
    const ended = endOf(child)
    await expect(complete(await urlOf(child), {})).rejects.toThrow('fetch failed')
    expect((await ended).code).toBe(42)
  })

  test('exits with 1 when its port is taken, and with 64 on misuse', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const taken = await endOf(start('--port', String((other.address() as AddressInfo).port)))
    other.close()
    expect(taken).toEqual({ code: 1, error: expect.stringContaining('EADDRINUSE') })
    const misused = await endOf(start('--slotz', '8'))
    expect(misused).toEqual({ code: 64, error: expect.stringMatching(/^error: .*slotz.*\nhint: /) })
  })
})

describe('the flags', () => {
  test('make every coefficient settable over a preset', () => {
    const options = parseOptions(['--preset', 'worked-example', '--slots', '9', '--per-context-token-us', '0.5'])
    expect(options).toMatchObject({
      parameters: { ...WORKED_EXAMPLE_8XH100, slots: 9, perContextTokenUs: 0.5, prefixCache: true },
    })
    expect(parseOptions(['--no-prefix-cache'])).toMatchObject({ parameters: { prefixCache: false } })
    expect(parseOptions(['--speed', '2', '--jitter', '0.1'])).toMatchObject({ noise: { speed: 2, jitter: 0.1 } })
    const booted = parseOptions(['--boot-spread', '0.05', '--seed', '3'])
    expect(booted).toEqual(parseOptions(['--boot-spread', '0.05', '--seed', '3']))
    expect(booted).not.toMatchObject({ noise: { speed: 1 } })
  })

  test.each([
    [['--slots', 'x'], '--slots needs a number'],
    [['--slots', '1.5'], 'slots must be a positive integer'],
    [['--slots', '600'], 'tokenBudget must be greater than slots'],
    [['--speed', '0'], 'speed must be greater than zero'],
    [['--port', 'x'], 'port must be a number'],
    [['--preset', 'large'], 'unknown preset large'],
    [['--vocabulary', '3'], 'too small'],
    [['--fault', 'nonsense=1'], 'unknown fault nonsense'],
    [['stray'], 'stray'],
  ])('%j is refused: %s', (argv, message) => {
    expect(parseOptions(argv)).toContain(message)
  })

  test('are all in the help', () => {
    for (const flag of ['--port', '--slots', '--jitter', '--fault', '--admin', '--boot-spread']) {
      expect(usageText()).toContain(flag)
    }
  })
})
