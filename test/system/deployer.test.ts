import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { dockerDeployer } from '../../src/adapters/engine/docker.ts'
import { dockerProgram } from '../../src/adapters/engine/docker-program.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { daemonIn, must } from './daemon.ts'
import { nothingLeft, system, tinyOrder } from './containers.ts'
import type { TinyOrder } from './containers.ts'

const never = new AbortController().signal
const environment = { ...process.env }
const clock = systemClock()
const deployer = dockerDeployer({ clock, docker: dockerProgram(environment), environment })
const folder = () => mkdtempSync(join(system('FOLDER'), 'test-'))

const ports: number[] = []
async function ordered(options: Parameters<typeof tinyOrder>[0]): Promise<TinyOrder> {
  const tiny = await tinyOrder(options)
  ports.push(tiny.firstPort, tiny.firstPort + 1, tiny.firstPort + 2)
  return tiny
}
afterEach(async () => assert.deepEqual(await nothingLeft(ports), []))

describe('one replica of two', () => {
  it('whose port is taken keeps the other from being started', async () => {
    const { order, firstPort } = await ordered({ replicas: 2 })
    const server = createServer().listen(firstPort + 1, '127.0.0.1')
    await expect(deployer.deploy(order, never)).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(`port ${firstPort + 1} is in use already (by process ${process.pid})`) as string,
    })
    await new Promise((resolve) => server.close(resolve))
  })

  it('that never gets ready ends the other too', async () => {
    const flags = ['--never-healthy-at', '{replica}']
    const { order } = await ordered({ replicas: 2, flags, deploy: { ready_timeout_seconds: 3 } })
    await expect(deployer.deploy(order, never)).rejects.toMatchObject({ code: 'engine_not_ready' })
  })

  it('that tells the right version and is another’s server is found out', async () => {
    const { order, firstPort } = await ordered({ deploy: { args: ['-e', 'setInterval(() => undefined, 1000)'] } })
    const deploying = deployer.deploy(order, never)
    const label = `label=capacity-gate.deploy=${order.deployId}`
    await expect.poll(() => must('docker', ['ps', '-q', '--filter', label]), { timeout: 10_000 }).not.toBe('')
    const stranger = spawn(process.execPath, ['test/fakes/tiny-engine.ts', '--port', String(firstPort)])
    await using deployment = await deploying
    const gone = new Promise((resolve) => stranger.once('exit', resolve))
    stranger.kill('SIGKILL')
    await gone
    const states = Object.fromEntries(deployment.identity.map((one) => [one.probe, one]))
    expect(states['identity.version']).toMatchObject({ state: 'pass' })
    expect(states['identity.listener']).toMatchObject({
      state: 'fail',
      blames: 'host',
      text: `port ${firstPort} is held by process ${stranger.pid}, which is none of replica 0’s`,
    })
  })

  it('that is ended from outside is an event that blames the host; one that dies by itself blames the engine', async () => {
    const { order, firstPort, inspect } = await ordered({ replicas: 2 })
    await using deployment = await deployer.deploy(order, never)
    await fetch(`http://127.0.0.1:${firstPort}/die`).catch(() => undefined)
    const outside = inspect().find(({ Args }) => Args.includes(String(firstPort + 1)))
    await dockerProgram(environment).call(['kill', outside?.Id ?? ''], { deadlineMs: 10_000 })
    await expect.poll(() => deployment.events().length, { timeout: 10_000 }).toBe(2)
    const seen = deployment.events().map(({ replica, kind, blames }) => ({ replica, kind, blames }))
    expect(seen).toEqual(
      expect.arrayContaining([
        { replica: 0, kind: 'exit', blames: 'engine' },
        { replica: 1, kind: 'exit', blames: 'host' },
      ]),
    )
    expect(deployment.events().find(({ replica }) => replica === 0)?.text).toContain('exit code 7')
  })
})

describe('a router', () => {
  it('gets the load, in turn over the healthy replicas; each replica is asked itself', async () => {
    const router = { kind: 'container', image: system('ROUTER') }
    const { order, firstPort } = await ordered({ replicas: 2, flags: ['--version', '1.{replica}'], deploy: { router } })
    await using deployment = await deployer.deploy(order, never)
    expect(deployment.replicas.map(({ url }) => url)).toEqual([0, 1].map((n) => `http://127.0.0.1:${firstPort + n}`))
    expect(deployment.targets).toEqual([{ index: 0, url: `http://127.0.0.1:${firstPort + 2}` }])
    const versions = async () => {
      const answers = []
      for (let n = 0; n < 4; n += 1) {
        const answer = await fetch(`${deployment.targets[0]?.url}/version`)
        answers.push(((await answer.json()) as { version: string }).version)
      }
      return answers
    }
    expect((await versions()).toSorted()).toEqual(['1.0', '1.0', '1.1', '1.1'])
    // The identity is each replica's own: the second tells another version than declared.
    const version = deployment.identity.find(({ probe }) => probe === 'identity.version')
    expect(version).toMatchObject({ state: 'fail', text: expect.stringContaining('"1.1"') as string })
    await fetch(`http://127.0.0.1:${firstPort}/die`).catch(() => undefined)
    await expect
      .poll(async () => new Set(await versions()), { timeout: 15_000, interval: 500 })
      .toEqual(new Set(['1.1']))
  })
})

describe('weights and compiled kernels', () => {
  it('are mounted where the engine finds them: the one read-only, the other kept from boot to boot', async () => {
    const [weights, compile] = [folder(), folder()]
    const snapshot = join(weights, 'models--acme--m/snapshots', 'a'.repeat(40))
    mkdirSync(snapshot, { recursive: true })
    writeFileSync(join(snapshot, 'config.json'), '{}')
    const revision = 'a'.repeat(40)
    const model = { id: 'acme/m', revision, tokenizer_revision: revision }
    const deploy = { weights, compile_cache: compile }
    const flags = ['--model', 'acme/m']
    const { order, inspect } = await ordered({ model, deploy, flags })
    const boots = []
    for (let n = 0; n < 2; n += 1) {
      await using deployment = await deployer.deploy(order, never)
      boots.push(deployment.boot.compileCache)
      const [container] = inspect()
      const mounts = container.Mounts.map(({ Source, Destination, RW }) => ({ Source, Destination, RW }))
      expect(mounts).toContainEqual({ Source: weights, Destination: weights, RW: false })
      expect(mounts).toContainEqual(expect.objectContaining({ Destination: '/capacity-gate/compile-cache', RW: true }))
      expect(container.Config.Env).toEqual(
        expect.arrayContaining([
          'HF_HUB_OFFLINE=1',
          `HF_HUB_CACHE=${weights}`,
          'VLLM_CACHE_ROOT=/capacity-gate/compile-cache/vllm',
        ]),
      )
      expect(deployment.identity.find(({ probe }) => probe === 'identity.weights')).toMatchObject({ state: 'pass' })
    }
    expect(boots).toEqual(['miss', 'hit'])
  })

  it('lie in folders of any name', async () => {
    const [weights, compile] = [join(folder(), 'a:b,"c" d=$e'), join(folder(), 'x:ro,z')]
    const model = join(weights, 'm')
    mkdirSync(model, { recursive: true })
    writeFileSync(join(model, 'config.json'), '{}')
    const deploy = { weights, compile_cache: compile }
    const { order, inspect } = await ordered({ model: { id: model }, deploy, flags: ['--model', model] })
    await using deployment = await deployer.deploy(order, never)
    const [{ Mounts }] = inspect()
    expect(Mounts.map(({ Source }) => Source)).toContain(weights)
    expect(Mounts.find(({ Destination }) => Destination === weights)).toMatchObject({ RW: false })
    expect(deployment.boot.compileCache).toBe('miss')
  })

  it('that the container would not find are an error before it is made', async () => {
    const [weights, elsewhere] = [folder(), folder()]
    writeFileSync(join(elsewhere, 'config.json'), '{}')
    mkdirSync(join(weights, 'm'))
    symlinkSync(join(elsewhere, 'config.json'), join(weights, 'm/config.json'))
    const { order } = await ordered({ model: { id: join(weights, 'm') }, deploy: { weights } })
    const stage = deployer.stage({ ...order, say: () => undefined }, never)
    await expect(stage).rejects.toMatchObject({ code: 'weights_outside', exitCode: 4 })
  })

  it('that are missing are an error before any container is made', async () => {
    const model = { id: 'acme/m', revision: 'b'.repeat(40), tokenizer_revision: 'b'.repeat(40) }
    const { order } = await ordered({ model, deploy: { weights: folder() } })
    const stage = deployer.stage({ ...order, say: () => undefined }, never)
    await expect(stage).rejects.toMatchObject({ code: 'weights_missing', exitCode: 4 })
  })
})

describe('GPUs', () => {
  it('are asked for by UUID; without their runtime the daemon says why the container cannot start', async () => {
    const gpus = async () => new Map([[0, 'GPU-11111111-2222-3333-4444-555555555555']])
    const placed = dockerDeployer({ clock, docker: dockerProgram(environment), environment, gpus })
    const { order } = await ordered({})
    Object.assign(order.manifest.engine.placement, { gpus: 1 })
    await expect(placed.deploy(order, never)).rejects.toMatchObject({
      code: 'engine_start_failed',
      message: expect.stringMatching(/could not select device driver|nvidia/) as string,
    })
  })
})

describe('a daemon without room', () => {
  it('that pulls an image says so, keeps nothing of it, and starts nothing', async () => {
    const name = `${system('REGISTRY')}/gate/large:1`
    must('docker', ['tag', system('IMAGE'), name])
    must('docker', ['push', '--quiet', name])
    const image = must('docker', ['image', 'inspect', '--format', '{{index .RepoDigests 0}}', name])
    must('docker', ['rmi', name])
    const small = folder()
    const data = join(small, 'data')
    mkdirSync(data)
    must('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', data])
    const daemon = daemonIn(small)
    try {
      await daemon.start()
      const docker = dockerProgram({ ...environment, DOCKER_HOST: daemon.host })
      const full = dockerDeployer({ clock, docker, environment })
      const { order } = await ordered({ deploy: { image } })
      for (let n = 0; n < 2; n += 1) {
        await expect(full.stage({ ...order, say: () => undefined }, never)).rejects.toMatchObject({
          code: 'image_unavailable',
          exitCode: 1,
          message: expect.stringMatching(/^there is no room for the image .*no space left on device/) as string,
        })
      }
      expect(must('docker', ['--host', daemon.host, 'images', '--all', '--quiet'])).toBe('')
    } finally {
      await daemon.stop()
      must('umount', [data])
    }
  })
})
