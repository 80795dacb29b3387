import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { processDeployer } from '../../../../src/adapters/engine/process.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { stateFolder } from '../../../../src/adapters/system/state-folder.ts'
import { isPortFree } from '../../../../src/adapters/system/tcp-ports.ts'
import type { Clock } from '../../../../src/app/ports/clock.ts'
import type { Deployment, EngineDeployer } from '../../../../src/app/ports/engine.ts'
import { engineBench, ROOT, TINY_ENGINE } from '../../../fakes/engine-bench.ts'
import type { EngineBench } from '../../../fakes/engine-bench.ts'
import type { ManifestChange } from '../../../fakes/manifest.ts'

const never = new AbortController().signal
let stateParent: string
const made: EngineBench[] = []

beforeAll(async () => {
  stateParent = await mkdtemp(join(tmpdir(), 'process-'))
  deployer = processDeployer({ clock: systemClock(), environment, cwd: ROOT, stateParent })
})
afterAll(() => rm(stateParent, { recursive: true, force: true }))

/** Whatever a test did: no process, no port and no entry is left behind. */
afterEach(async () => {
  for (const bench of made.splice(0)) {
    assert.deepEqual(await bench.living(), [])
    assert.ok(await isPortFree(bench.firstPort))
  }
  assert.deepEqual(await readdir(await stateFolder(stateParent)), [])
})

async function bench(flags: readonly string[], change: ManifestChange = {}): Promise<EngineBench> {
  const one = await engineBench(flags, change)
  made.push(one)
  return one
}

const environment = { PATH: process.env['PATH'], SECRET_TOKEN: 'hunter2-and-more', UNRELATED: 'x' }
let deployer: EngineDeployer
const deploy = (one: EngineBench, signal = never): Promise<Deployment> => deployer.deploy(one.order, signal)
/** Ends the first replica's server at once: by a request, so that it is ready before whatever the machine does. */
const die = ({ replicas }: Deployment): Promise<unknown> => fetch(`${replicas[0]?.url}/die`).catch(() => null)
const quick = { ready_timeout_seconds: 1.5 }

/** Deploys with a clock that moves only while an engine that listens is waited for: how long a program takes to start is no matter. */
function deployOnceUp(one: EngineBench): Promise<Deployment> {
  const system = systemClock()
  let nowUs = 0
  const clock: Clock = {
    ...system,
    nowUs: () => nowUs,
    async sleep(ms, signal) {
      const isUp = one.printed.includes('[r0] listening\n')
      await system.sleep(ms, signal)
      if (isUp) nowUs += ms * 1000
    },
  }
  return processDeployer({ clock, environment, cwd: ROOT, stateParent }).deploy(one.order, never)
}

describe('an engine that does not come up', () => {
  it('and dies is told with its exit code and its last line', async () => {
    const one = await bench(['--die-at-start', '3'])
    await expect(deploy(one)).rejects.toMatchObject({
      name: 'GateError',
      code: 'engine_died_at_start',
      message: /exit code 3 .*no such tensor/,
    })
    expect(one.printed).toContain('[r0] cannot load the model: no such tensor\n')
  })

  it.each([
    ['--never-healthy', /is not healthy; it answers 503/],
    ['--html', /is not healthy; it answers HTML/],
    ['--close-connections', /is not healthy; it closed the connection/],
    ['--never-generate', /does not generate; it answers 500: \{"error":"no.* way"\}/],
    ['--no-such-model', /does not generate; it answers 404/],
  ])('with %s is not ready, and told why', async (flag, message) => {
    const one = await bench([flag], { deploy: quick })
    await expect(deployOnceUp(one)).rejects.toMatchObject({ name: 'GateError', code: 'engine_not_ready', message })
  })

  it('because its program is missing is not started', async () => {
    const one = await bench([], { argv: ['no-such-engine', '--port', '{port}'] })
    const message = /no-such-engine: no such file/
    await expect(deploy(one)).rejects.toMatchObject({ code: 'engine_start_failed', message })
  })

  it('because the port is taken leaves the holder alone and names it', async () => {
    const one = await bench([])
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(one.firstPort, '127.0.0.1', resolve))
    const message = new RegExp(`port ${one.firstPort} is in use already.*process ${process.pid}`)
    await expect(deploy(one)).rejects.toMatchObject({ code: 'port_in_use', message })
    expect(server.listening).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })

  it('on one replica takes the others with it', async () => {
    const argv = [
      '{node}',
      '-e',
      `process.argv[1] === '0' ? setInterval(() => {}, 1000) : process.exit(9)`,
      '{replica}',
    ]
    const one = await bench([], { argv, replicas: 3 })
    await expect(deploy(one)).rejects.toMatchObject({ code: 'engine_died_at_start', message: /exit code 9/ })
  })

  it('for want of a declared secret says which', async () => {
    const one = await bench([], { deploy: { secrets: ['ABSENT_TOKEN'] } })
    await expect(deploy(one)).rejects.toMatchObject({ code: 'secret_missing', message: /ABSENT_TOKEN/ })
  })

  it('as a process at all is an invalid manifest', async () => {
    const one = await bench([], { engine: { deploy: { kind: 'endpoint', urls: ['http://127.0.0.1:1'] } } })
    await expect(deploy(one)).rejects.toMatchObject({ code: 'not_deployable', exitCode: 4 })
  })
})

describe('an engine that lies', () => {
  it('about its version is found out, and that blames the host', async () => {
    await using deployment = await deploy(await bench(['--version', '1.1']))
    expect(deployment.identity).toContainEqual({
      probe: 'identity.version',
      state: 'fail',
      required: true,
      blames: 'host',
      text: 'declared "1.0", the engine says "1.1"',
    })
  })

  it('about its version on one replica only is found out too', async () => {
    const code = `import('http').then(({ createServer }) => createServer((request, response) => {
      const version = process.argv[2] === '1' ? '2.0' : '1.0'
      response.end(JSON.stringify({ version, data: [{ id: 'fixture' }], choices: [{}] }))
    }).listen(Number(process.argv[1]), '127.0.0.1'))`
    const one = await bench([], { argv: ['{node}', '-e', code, '{port}', '{replica}'], replicas: 2 })
    await using deployment = await deploy(one)
    expect(deployment.identity[0]).toMatchObject({ probe: 'identity.version', state: 'fail' })
  })

  it('by standing beside another that took its port is found out, whatever that one tells', async () => {
    const one = await bench([], { argv: ['{node}', '-e', 'console.log("here"); setInterval(() => undefined, 1000)'] })
    const deploying = deploy(one)
    // The ports were looked at before anything of it was started.
    await expect.poll(() => one.printed.join('')).toContain('here')
    const asked = spawn(process.execPath, [TINY_ENGINE, '--port', String(one.firstPort)])
    await using deployment = await deploying
    const listener = deployment.identity.find(({ probe }) => probe === 'identity.listener')
    const told = deployment.identity.find(({ probe }) => probe === 'identity.version')
    const gone = new Promise((resolve) => asked.once('exit', resolve))
    asked.kill('SIGKILL')
    await gone
    expect(told?.state).toBe('pass')
    if (process.platform !== 'linux') return
    expect(listener).toMatchObject({ state: 'fail', required: true, blames: 'host' })
    expect(listener?.text).toBe(`port ${one.firstPort} is held by process ${asked.pid}, which is none of replica 0’s`)
  })

  it('a build’s local label is no lie', async () => {
    await using deployment = await deploy(await bench(['--version', '1.0+cpu']))
    expect(deployment.identity[0]).toMatchObject({ state: 'pass' })
  })

  it('about its model still generates, and is found out', async () => {
    await using deployment = await deploy(await bench(['--model', 'other-model']))
    const text = 'declared "fixture", the engine serves "other-model"'
    expect(deployment.identity[1]).toMatchObject({ probe: 'identity.model', state: 'fail', blames: 'host', text })
  })
})

describe('an engine that runs', () => {
  it('proves its arguments and files', async () => {
    const one = await bench([])
    await using deployment = await deploy(one)
    const argv = deployment.identity.find(({ probe }) => probe === 'identity.argv')
    expect(argv).toMatchObject({ state: 'pass', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const files = deployment.identity.filter(({ probe }) => probe === 'identity.files')
    expect(files.map(({ file }) => file)).toEqual(
      expect.arrayContaining([expect.stringMatching(/tiny-engine\.ts$/), expect.stringMatching(/^node/)]),
    )
    expect(files.every(({ state, sha256 }) => state === 'pass' && /^[0-9a-f]{64}$/.test(sha256 ?? ''))).toBe(true)
  })

  it('sees nothing of our environment but what it needs, and its secrets stay out of the log', async () => {
    const code = `console.log(JSON.stringify(process.env)); console.error('the token is ' + process.env.SECRET_TOKEN)
      import('http').then(({ createServer }) => createServer((request, response) => {
        response.end(JSON.stringify({ version: '1.0', data: [{ id: 'fixture' }], choices: [{}] }))
      }).listen(Number(process.argv[1]), '127.0.0.1'))`
    const deployFields = { secrets: ['SECRET_TOKEN'], env: { TUNING: 'on' } }
    const one = await bench([], { argv: ['{node}', '-e', code, '{port}'], deploy: deployFields })
    await (await deploy(one))[Symbol.asyncDispose]()
    const line = one.printed.find((printed) => printed.startsWith('[r0] {')) ?? ''
    const seen = JSON.parse(line.slice(5)) as Record<string, string>
    expect(Object.keys(seen).toSorted()).toEqual([
      'CAPACITY_GATE_DEPLOY',
      'CAPACITY_GATE_OWNER',
      'PATH',
      'SECRET_TOKEN',
      'TUNING',
    ])
    expect(seen['SECRET_TOKEN']).toBe('***')
    expect(one.printed).toContain('[r0] the token is ***\n')
  })

  it('and tells its secrets in its answers does not bring them into messages or evidence', async () => {
    const code = `import('http').then(({ createServer }) => createServer((request, response) => {
        response.statusCode = process.argv[2] === 'ill' ? 500 : 200
        const { SECRET_TOKEN: version } = process.env
        response.end(JSON.stringify({ version, data: [{ id: 'fixture' }], choices: [{}] }))
      }).listen(Number(process.argv[1]), '127.0.0.1', () => console.log('listening')))`
    const secrets = ['SECRET_TOKEN']
    const well = await bench([], { argv: ['{node}', '-e', code, '{port}', 'well'], deploy: { secrets } })
    await using deployment = await deploy(well)
    expect(deployment.identity[0]).toMatchObject({ state: 'fail', text: 'declared "1.0", the engine says "***"' })
    const ill = await bench([], { argv: ['{node}', '-e', code, '{port}', 'ill'], deploy: { secrets, ...quick } })
    await expect(deployOnceUp(ill)).rejects.toThrow(/answers 500: \{"version":"\*\*\*"/)
  })

  it('and then ends by itself is an event that blames it', async () => {
    await using deployment = await deploy(await bench([]))
    await die(deployment)
    await expect.poll(() => deployment.events()).toHaveLength(1)
    const text = expect.stringContaining('ended with exit code 7') as string
    expect(deployment.events()[0]).toMatchObject({ replica: 0, kind: 'exit', blames: 'engine', text })
  })

  it('and is removed by us is no event', async () => {
    const deployment = await deploy(await bench([]))
    await deployment[Symbol.asyncDispose]()
    expect(deployment.events()).toEqual([])
  })

  it('and refuses a reset at first is asked again', async () => {
    await using deployment = await deploy(await bench(['--refuse-resets', '2']))
    expect(await deployment.resetCache(never)).toMatchObject({ state: 'pass' })
  })

  it('and answers a reset with nothing leaves it unknown', async () => {
    await using deployment = await deploy(await bench(['--empty-reset']))
    expect(await deployment.resetCache(never)).toMatchObject({
      probe: 'cache_hit.reset',
      state: 'unknown',
      blames: 'host',
    })
  })
})

describe('the embedded engine', () => {
  it('is deployed, known and reset like any other', async () => {
    const argv = ['{node}', 'fixtures/engine/main.ts', '--port', '{port}', '--kv-blocks', '100']
    const one = await bench([], { argv, replicas: 2 })
    await using deployment = await deploy(one)
    expect(deployment.boot.kvTokens).toBe(2 * 100 * 16)
    expect(deployment.identity.filter(({ state }) => state !== 'pass')).toEqual([])
    expect(await deployment.resetCache(never)).toMatchObject({ state: 'pass' })
    expect(one.printed.toSorted()).toEqual([
      expect.stringMatching(/^\[r0\] fixture engine/),
      expect.stringMatching(/^\[r1\] fixture engine/),
    ])
  })

  it('of another version is found out', async () => {
    const argv = ['{node}', 'fixtures/engine/main.ts', '--port', '{port}', '--fault', 'version=9.9']
    await using deployment = await deploy(await bench([], { argv }))
    expect(deployment.identity[0]).toMatchObject({ probe: 'identity.version', state: 'fail', blames: 'host' })
  })
})

describe('removing an engine', () => {
  it.each([
    ['that ignores signals', ['--ignore-signals'], 1],
    ['with a worker in a session of its own', ['--worker'], 2],
    ['with a worker that also forgot its environment', ['--forgetful-worker'], 2],
  ])('%s leaves nothing', async (_, flags, processes) => {
    const one = await bench(flags, { deploy: { stop_timeout_seconds: 0.3 } })
    const deployment = await deploy(one)
    // A worker ignores signals only once it is up.
    await expect.poll(() => one.printed.filter((line) => line === '[r0] worker up\n')).toHaveLength(processes - 1)
    expect(await one.living()).toHaveLength(processes)
    await deployment[Symbol.asyncDispose]()
    expect(await one.living()).toEqual([])
  })

  it.each([
    ['the worker that outlived it', '--worker'],
    ['also one that left nothing to know it by', '--forgetful-worker'],
  ])('whose server was killed takes %s', async (_, flag) => {
    const one = await bench([flag], { deploy: { stop_timeout_seconds: 0.3 } })
    await using deployment = await deploy(one)
    await die(deployment)
    await expect.poll(() => deployment.events()).toHaveLength(1)
    expect(await one.living()).toHaveLength(1)
  })
})
