import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { dockerDeployer } from '../../src/adapters/engine/docker.ts'
import { dockerProgram } from '../../src/adapters/engine/docker-program.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { FIXTURE } from '../../src/core/dialect/fixture-table.ts'
import { deployerContract } from '../contract/engine/deployer-contract.ts'
import { nothingLeft, tinyOrder } from './containers.ts'

const environment = { ...process.env }
const deployer = () => dockerDeployer({ clock: systemClock(), docker: dockerProgram(environment), environment })

deployerContract('containers', async () => {
  const { order, firstPort } = await tinyOrder({ replicas: 2 })
  return {
    deployer: deployer(),
    order: { ...order, dialect: FIXTURE },
    [Symbol.asyncDispose]: async () => assert.deepEqual(await nothingLeft([firstPort, firstPort + 1]), []),
  }
})

describe('a container', () => {
  it('has the settings that the manifest types, and what it prints in the log without secrets', async () => {
    const { order, printed, inspect } = await tinyOrder({
      flags: ['--say', 'my token is tops3cret'],
      deploy: {
        secrets: ['SYSTEM_SECRET', 'HF_TOKEN'],
        env: { A: 'a,"b"' },
        cpus: { engine: '0', client: '1-63' },
        shm_gib: 0.125,
        ipc: 'private',
        ulimits: { memlock: 65536, stack: 8388608, nofile: 1024 },
        memory_gib: 0.5,
      },
    })
    Object.assign(environment, { SYSTEM_SECRET: 'tops3cret', HF_TOKEN: 'hf_secret' })
    await using deployment = await deployer().deploy(order, new AbortController().signal)
    const [container] = inspect()
    expect(container.HostConfig).toMatchObject({
      NetworkMode: 'host',
      CpusetCpus: '0',
      ShmSize: 134_217_728,
      IpcMode: 'private',
      Memory: 536_870_912,
      RestartPolicy: { Name: 'no' },
    })
    const limits = Object.fromEntries(container.HostConfig.Ulimits.map(({ Name, Soft }) => [Name, Soft]))
    expect(limits).toEqual({ memlock: 65_536, stack: 8_388_608, nofile: 1024 })
    expect(container.Config.Env).toEqual(expect.arrayContaining(['A=a,"b"', 'SYSTEM_SECRET=tops3cret']))
    expect(container.Config.Env.join()).not.toContain('HF_TOKEN')
    expect(container.Config.Labels).toMatchObject({ 'capacity-gate.deploy': order.deployId })
    expect(printed.join('')).toContain('[r0] my token is ***\n')
    expect(deployment.identity.find(({ probe }) => probe === 'identity.image')).toMatchObject({ state: 'pass' })
  })
})
