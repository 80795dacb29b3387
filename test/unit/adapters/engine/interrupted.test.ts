import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processDeployer } from '../../../../src/adapters/engine/process.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { stateFolder } from '../../../../src/adapters/system/state-folder.ts'
import { isPortFree } from '../../../../src/adapters/system/tcp-ports.ts'
import type { EngineDeployer } from '../../../../src/app/ports/engine.ts'
import { engineBench, ROOT } from '../../../fakes/engine-bench.ts'
import type { EngineBench } from '../../../fakes/engine-bench.ts'

let stateParent: string
let deployer: EngineDeployer
beforeAll(async () => {
  stateParent = await mkdtemp(join(tmpdir(), 'interrupted-'))
  const environment = { PATH: process.env['PATH'] }
  deployer = processDeployer({ clock: systemClock(), environment, cwd: ROOT, stateParent })
})
afterAll(() => rm(stateParent, { recursive: true, force: true }))

async function expectNothingLeft(bench: EngineBench): Promise<void> {
  expect(await bench.living()).toEqual([])
  expect(await isPortFree(bench.firstPort)).toBe(true)
}

// Spread over a start of about half a second: before the first process, between two, while polling, after.
const momentsMs = Array.from({ length: 10 }, (_, index) => Math.round(index ** 2 * 8 + Math.random() * 20))

describe('an abort', () => {
  it.each(momentsMs)('after %i ms leaves no process and no port', async (ms) => {
    const bench = await engineBench(['--worker'], { replicas: 2, deploy: { stop_timeout_seconds: 0.2 } })
    const controller = new AbortController()
    const reason = new Error('cancelled')
    setTimeout(() => controller.abort(reason), ms)
    const removed = deployer
      .deploy(bench.order, controller.signal)
      .then((deployment) => deployment[Symbol.asyncDispose]())
    expect([reason, undefined]).toContain(await removed.catch((error: unknown) => error))
    await expectNothingLeft(bench)
    expect(await readdir(await stateFolder(stateParent))).toEqual([])
  })
})

/** A run of its own process that deploys the bench's order and then stands, until it is killed. */
async function otherRun(bench: EngineBench): Promise<ReturnType<typeof spawn>> {
  const source = (path: string) => JSON.stringify(join(ROOT, path))
  const { manifest, deployId } = bench.order
  const script = `
    import { processDeployer } from ${source('src/adapters/engine/process.ts')}
    import { systemClock } from ${source('src/adapters/system/clock.ts')}
    import { FIXTURE } from ${source('src/core/dialect/fixture-table.ts')}
    const options = { environment: process.env, cwd: ${source('.')}, stateParent: ${JSON.stringify(stateParent)} }
    const deployer = processDeployer({ clock: systemClock(), ...options })
    const order = { manifest: ${JSON.stringify(manifest)}, dialect: FIXTURE, deployId: ${JSON.stringify(deployId)}, log: { write() {} } }
    await deployer.deploy(order, new AbortController().signal)
    process.on('SIGUSR2', () => process.exit(5))
    console.log('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`the other run ended with ${code}`)))
  })
  return child
}

function killed(child: ReturnType<typeof spawn>, signal: NodeJS.Signals): Promise<unknown> {
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

describe('a run that was killed', () => {
  it('leaves engines that the next start removes, and none of a run that lives', async () => {
    const dead = await engineBench(['--worker'], { replicas: 2 })
    const alive = await engineBench(['--worker'])
    const [deadRun, aliveRun] = await Promise.all([otherRun(dead), otherRun(alive)])
    await killed(deadRun, 'SIGKILL')
    expect((await dead.living()).length).toBeGreaterThanOrEqual(4)

    const said = await deployer.removeLeftovers()
    expect(said).toEqual([expect.stringContaining(`run ${deadRun.pid} left of deployment ${dead.order.deployId}`)])
    await expectNothingLeft(dead)
    expect((await alive.living()).length).toBeGreaterThanOrEqual(2)
    expect(await deployer.removeLeftovers()).toEqual([])

    await killed(aliveRun, 'SIGKILL')
    // Without its entry the engine is still known by the mark in its environment.
    await rm(await stateFolder(stateParent), { recursive: true })
    expect(await deployer.removeLeftovers()).toEqual([expect.stringContaining(`run ${aliveRun.pid} left`)])
    await expectNothingLeft(alive)
    expect(await readdir(await stateFolder(stateParent))).toEqual([])
  })

  it('leaves also a worker without session, environment and parent to the next start', async () => {
    const bench = await engineBench(['--forgetful-worker'])
    const run = await otherRun(bench)
    await fetch(`http://127.0.0.1:${bench.firstPort}/die`).catch(() => null)
    await expect.poll(() => bench.living()).toHaveLength(1)
    await killed(run, 'SIGKILL')
    expect(await deployer.removeLeftovers()).toHaveLength(1)
    await expectNothingLeft(bench)
  })

  it('but could still run its exit hooks took its engines with it, workers in sessions of their own too', async () => {
    const bench = await engineBench(['--worker'], { replicas: 2 })
    await killed(await otherRun(bench), 'SIGUSR2')
    await expect.poll(() => bench.living()).toEqual([])
    expect(await deployer.removeLeftovers()).toEqual([])
    await expectNothingLeft(bench)
  })
})
