import { describe, expect, it } from 'vitest'
import type { DeployOrder, EngineDeployer } from '../../../src/app/ports/engine.ts'

/** A deployer and an order of two replicas for it. */
export interface DeployerBench extends AsyncDisposable {
  deployer: EngineDeployer
  order: DeployOrder
}

const never = new AbortController().signal

/** What every way of deploying an engine keeps to. */
export function deployerContract(name: string, make: () => Promise<DeployerBench>): void {
  describe(`deployed as ${name}`, () => {
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
      // Nothing listens for the fake, and only Linux shows who does.
      const seen = process.platform === 'linux' ? ['pass', undefined] : ['unknown', undefined]
      expect(seen).toContain(states['identity.listener'])
      // Required and not proven would leave every point unknown.
      expect(deployment.identity.filter(({ required, state }) => required && state !== 'pass')).toEqual([])
      expect(deployment.events()).toEqual([])
    })

    it('stages as often as asked, and not once it was aborted', async () => {
      await using bench = await make()
      const { manifest, dialect } = bench.order
      const stage = (signal: AbortSignal) => bench.deployer.stage({ manifest, dialect, say: () => undefined }, signal)
      await stage(never)
      await stage(never)
      await expect(stage(AbortSignal.abort(new Error('no more')))).rejects.toThrow('no more')
    })

    it('sends load to the replicas where there is no router', async () => {
      await using bench = await make()
      await using deployment = await bench.deployer.deploy(bench.order, never)
      expect(deployment.targets).toEqual(deployment.replicas)
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
}
