import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { endpointDeployer } from '../../../src/adapters/engine/endpoint.ts'
import { processDeployer } from '../../../src/adapters/engine/process.ts'
import { waitForFreePorts } from '../../../src/adapters/system/tcp-ports.ts'
import type { DeployOrder } from '../../../src/app/ports/engine.ts'
import { FIXTURE } from '../../../src/core/dialect/fixture-table.ts'
import { TINY_ENGINE } from '../../fakes/engine-bench.ts'
import { fakeDeployer } from '../../fakes/engine.ts'
import { freePorts } from '../../fakes/free-port.ts'
import { processManifest } from '../../fakes/manifest.ts'
import { deployerContract } from './deployer-contract.ts'
import type { DeployerBench } from './deployer-contract.ts'

const root = join(import.meta.dirname, '../../..')
const argv = ['{node}', TINY_ENGINE, '--port', '{port}']

let stateParent: string
beforeAll(async () => {
  stateParent = await mkdtemp(join(tmpdir(), 'engine-'))
})
afterAll(() => rm(stateParent, { recursive: true, force: true }))

async function orderOf(deployId: string): Promise<DeployOrder> {
  const manifest = processManifest({ argv, replicas: 2, firstPort: await freePorts(2) })
  return { manifest, dialect: FIXTURE, deployId, log: { write: () => undefined } }
}

const benches: [string, () => Promise<DeployerBench>][] = [
  [
    'the fake deployer',
    async () => {
      return {
        deployer: fakeDeployer(),
        order: await orderOf('f'),
        [Symbol.asyncDispose]: async () => {},
      }
    },
  ],
  [
    'processes',
    async () => {
      const order = await orderOf('p')
      const clock = systemClock()
      const deployer = processDeployer({ clock, environment: { PATH: '/usr/bin:/bin' }, cwd: root, stateParent })
      return { deployer, order, [Symbol.asyncDispose]: async () => {} }
    },
  ],
  [
    'endpoints that stand already',
    async () => {
      const order = await orderOf('e')
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
      return { deployer, order, [Symbol.asyncDispose]: stop }
    },
  ],
]

for (const [name, make] of benches) deployerContract(name, make)
