import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { endpointDeployer } from '../../../src/adapters/engine/endpoint.ts'
import { processDeployer } from '../../../src/adapters/engine/process.ts'
import { waitForFreePorts } from '../../../src/adapters/system/tcp-ports.ts'
import type { DeployOrder, EngineDeployer } from '../../../src/app/ports/engine.ts'
import { FIXTURE } from '../../../src/core/dialect/fixture-table.ts'
import { TINY_ENGINE } from '../../fakes/engine-bench.ts'
import { fakeDeployer } from '../../fakes/engine.ts'
import { freePorts } from '../../fakes/free-port.ts'
import { processManifest } from '../../fakes/manifest.ts'

const root = join(import.meta.dirname, '../../..')
const argv = ['{node}', TINY_ENGINE, '--port', '{port}']
const never = new AbortController().signal

let stateParent: string
beforeAll(async () => {
  stateParent = await mkdtemp(join(tmpdir(), 'engine-'))
})
afterAll(() => rm(stateParent, { recursive: true, force: true }))

interface Bench extends AsyncDisposable {
  deployer: EngineDeployer
  order: DeployOrder
  printed: string[]
}

async function orderOf(deployId: string, printed: string[]): Promise<DeployOrder> {
  const manifest = processManifest({ argv, replicas: 2, firstPort: await freePorts(2) })
  return { manifest, dialect: FIXTURE, deployId, log: { write: (chunk) => printed.push(chunk) } }
}

const benches: [string, () => Promise<Bench>][] = [
  [
    'the fake deployer',
    async () => {
      const printed: string[] = []
      return {
        deployer: fakeDeployer(),
        order: await orderOf('f', printed),
        printed,
        [Symbol.asyncDispose]: async () => {},
      }
    },
  ],
  [
    'processes',
    async () => {
      const printed: string[] = []
      const order = await orderOf('p', printed)
      const clock = systemClock()
      const deployer = processDeployer({ clock, environment: { PATH: '/usr/bin:/bin' }, cwd: root, stateParent })
      return { deployer, order, printed, [Symbol.asyncDispose]: async () => {} }
    },
  ],
  [
    'endpoints that stand already',
    async () => {
      const printed: string[] = []
      const order = await orderOf('e', printed)
      const firstPort = await freePorts(2)
      const children = [0, 1].map((index) =>
        spawn(process.execPath, [TINY_ENGINE, '--port', String(firstPort + index)]),
      )
      const urls = [0, 1].map((index) => `http://127.0.0.1:${firstPort + index}`)
      const stop = async () => {
        for (const child of children) child.kill('SIGKILL')
        assert.deepEqual(await waitForFreePorts([firstPort, firstPort + 1], 5000), [])
      }
      const deployer = endpointDeployer({ clock: systemClock(), urls })
      return { deployer, order, printed, [Symbol.asyncDispose]: stop }
    },
  ],
]

describe.each(benches)('%s', (_, make) => {
  it('gives replicas that generate, who they are, and how they booted', async () => {
    await using bench = await make()
    await using deployment = await bench.deployer.deploy(bench.order, never)
    expect(deployment.deployId).toBe(bench.order.deployId)
    expect(deployment.replicas.map(({ index }) => index)).toEqual([0, 1])
    expect(new Set(deployment.replicas.map(({ url }) => url)).size).toBe(2)
    expect(deployment.replicas.every(({ url }) => /^http:.*[^/]$/.test(url))).toBe(true)
    expect(deployment.boot).toMatchObject({ deployId: bench.order.deployId, kvTokens: 3200 })
    expect(deployment.boot.seconds).toBeGreaterThan(0)
    expect(deployment.boot.firstRequestMs).toBeGreaterThan(0)
    const states = Object.fromEntries(deployment.identity.map(({ probe, state }) => [probe, state]))
    expect(states).toMatchObject({ 'identity.version': 'pass', 'identity.model': 'pass' })
    expect(deployment.identity.every(({ blames }) => blames === 'host')).toBe(true)
    // Required and not proven would leave every point unknown.
    expect(deployment.identity.filter(({ required, state }) => required && state !== 'pass')).toEqual([])
    expect(deployment.events()).toEqual([])
  })

  it('resets its caches as often as asked', async () => {
    await using bench = await make()
    await using deployment = await bench.deployer.deploy(bench.order, never)
    for (let n = 0; n < 2; n += 1) {
      expect(await deployment.resetCache(never)).toMatchObject({ probe: 'cache_hit.reset', state: 'pass' })
    }
    await expect(deployment.resetCache(AbortSignal.abort(new Error('no more')))).rejects.toThrow('no more')
  })

  it('can be removed twice, and deployed again', async () => {
    await using bench = await make()
    const deployment = await bench.deployer.deploy(bench.order, never)
    await Promise.all([deployment[Symbol.asyncDispose](), deployment[Symbol.asyncDispose]()])
    await deployment[Symbol.asyncDispose]()
    await using again = await bench.deployer.deploy(bench.order, never)
    expect(again.replicas).toEqual(deployment.replicas)
  })

  it('rejects with the reason of an abort', async () => {
    await using bench = await make()
    const reason = new Error('cancelled')
    await expect(bench.deployer.deploy(bench.order, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('has no leftovers when nothing was killed', async () => {
    await using bench = await make()
    await using _ = await bench.deployer.deploy(bench.order, never)
    expect(await bench.deployer.removeLeftovers()).toEqual([])
  })
})
