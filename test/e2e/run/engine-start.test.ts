import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { isPortFree } from '../../../src/adapters/system/tcp-ports.ts'
import { discrepanciesOf, gateFolder } from './gate-run.ts'
import type { GateRun } from './gate-run.ts'
import { quickManifest } from './quick-manifest.ts'

const gate = gateFolder()
const { folder } = gate

/** A minimum makes these runs gates without a baseline. */
const MINIMUM = { acceptance: { min_capacity_rps: 24 } }

const ENGINES: Record<string, { flags: string[]; seconds: number; said: RegExp }> = {
  'never gets ready': { flags: ['--fault', 'slow_start_seconds=60'], seconds: 1, said: /was not ready within 1 s/ },
  'dies at start': { flags: ['--no-such-flag'], seconds: 30, said: /exit.* 64/ },
  // Long enough for it to listen on a busy machine.
  'answers HTML': { flags: ['--fault', 'html=1'], seconds: 4, said: /was not ready within 4 s: it does not generate/ },
  'closes every connection': {
    flags: ['--fault', 'close_connections=1'],
    seconds: 1,
    said: /was not ready within 1 s/,
  },
}

describe('an engine that', () => {
  interface EngineRun {
    run: GateRun
    port: number
  }
  const runs = new Map<string, EngineRun>()
  beforeAll(async () => {
    await Promise.all(
      Object.entries(ENGINES).map(async ([name, { flags, seconds }]) => {
        const manifest = await quickManifest(folder, { ...MINIMUM, flags, deploy: { ready_timeout_seconds: seconds } })
        const pack = name.replaceAll(' ', '-')
        runs.set(name, { run: await gate.run(pack, manifest.path, '--cache', 'cold'), port: manifest.port })
      }),
    )
  })

  it.each(Object.keys(ENGINES))('%s fails the point by its own fault: regressed', async (name) => {
    const { run, port } = runs.get(name) as EngineRun
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
    const [point] = run.points()
    expect(point?.reasons.map(({ code }) => code)).toContain('start_failed')
    expect(point?.reasons.map(({ text }) => text).join()).toMatch(ENGINES[name]?.said ?? /never/)
    expect(await isPortFree(port)).toBe(true)
    expect(await discrepanciesOf(run.pack)).toEqual([])
  })
})

describe('a port in use', () => {
  it('is an error that names it and how to mend it; nothing was measured', async () => {
    const manifest = await quickManifest(folder, MINIMUM)
    const server = createServer().listen(manifest.port, '127.0.0.1')
    try {
      const run = await gate.run('port-in-use', manifest.path, '--cache', 'cold')
      expect([run.code, run.stdout]).toEqual([1, ''])
      expect(run.stderr).toMatch(new RegExp(`\\nerror: .*${manifest.port}.* in use.*\\nhint: .+\\n$`))
    } finally {
      server.close()
    }
  })
})
