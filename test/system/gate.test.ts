import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { start } from '../e2e/cli/cli-process.ts'
import { discrepanciesOf, gateFolder, readRecord } from '../e2e/run/gate-run.ts'
import type { QuickOptions } from '../e2e/run/quick-manifest.ts'
import { containerManifest } from './container-manifest.ts'
import type { ContainerManifest } from './container-manifest.ts'
import { must, daemonIn } from './daemon.ts'
import { nothingLeft, system } from './containers.ts'

const gate = gateFolder({ DOCKER_HOST: process.env['DOCKER_HOST'] ?? '' })
const { folder } = gate
const accepted = `dir:${join(folder, 'accepted')}`
const MINIMUM = { acceptance: { min_capacity_rps: 24 } }
const COLD = ['--cache', 'cold']

const ports = new Set<number>()
async function manifestOf(flags: readonly string[], deploy?: Record<string, unknown>, options?: QuickOptions) {
  const manifest = await containerManifest(folder, flags, deploy, options)
  ports.add(manifest.port)
  return manifest
}

afterEach(async () => {
  assert.deepEqual(await nothingLeft([...ports]), [])
})

/** Ids of our containers whose engine listens on a port. */
function containersOf(port: number): string[] {
  const ids = must('docker', ['ps', '-q', '--no-trunc', '--filter', 'label=capacity-gate.owner'])
  return ids
    .split('\n')
    .filter((id) => id !== '' && must('docker', ['inspect', '--format', '{{.Args}}', id]).includes(`--port ${port} `))
}

const said = (run: { points(): { reasons: { text: string }[] }[] }) =>
  run
    .points()
    .flatMap(({ reasons }) => reasons.map(({ text }) => text))
    .join('\n')

let manifest: ContainerManifest
beforeAll(async () => {
  manifest = await manifestOf([])
  const first = await gate.run('first', manifest.path, '--plan', 'sweep', '--on-missing-baseline', 'record')
  assert.deepEqual([first.code, first.verdict().outcome], [0, 'recorded'])
  const promoted = await gate.command(
    'promote',
    '--candidate',
    join(first.pack, 'capacity.json'),
    '--to',
    accepted,
    '--yes',
  )
  assert.equal(promoted.code, 0)
})

describe('a revision in a container', () => {
  it('that is unchanged is held, and its image proven', async () => {
    const run = await gate.run('held', manifest.path, '--baseline', accepted)
    expect([run.code, run.verdict().outcome]).toEqual([0, 'held'])
    const { identity, subject } = readRecord(run.pack)
    expect(subject.image).toBe(system('IMAGE'))
    expect(identity.filter(({ probe }) => probe === 'identity.image').map(({ state }) => state)).toContain('pass')
    expect(identity.filter(({ probe }) => probe === 'identity.argv').map(({ state }) => state)).toContain('pass')
    expect(await discrepanciesOf(run.pack)).toEqual([])
  })

  it('whose prefill became slower is regressed', async () => {
    const slower = manifest.subject('slower', ['--fault', 'prefill_factor=4'])
    const run = await gate.run('regressed', manifest.path, '--baseline', accepted, '--subject', slower, ...COLD)
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
  })

  it('that crashes mid-point is regressed: the exit is named', async () => {
    const crash = manifest.subject('crash', ['--fault', 'crash_after_requests=40'])
    const run = await gate.run('crash', manifest.path, '--baseline', accepted, '--subject', crash, ...COLD)
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
    expect(said(run)).toMatch(/replica 0 ended with exit code 134/)
  })

  it('that does not know a flag is regressed: it died at start, with its last words', async () => {
    const flag = manifest.subject('flag', ['--no-such-flag'])
    const run = await gate.run('flag', manifest.path, '--baseline', accepted, '--subject', flag, ...COLD)
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
    expect(said(run)).toMatch(/ended with exit code 64 before it was ready; its last lines: .*no-such-flag/)
  })

  it('that the kernel ends for its memory is regressed, and so said', async () => {
    const { path, port } = await manifestOf([], { memory_gib: 0.25 }, MINIMUM)
    const run = gate.run('oom', path, ...COLD)
    let eaten = 0
    while (eaten < 3) {
      const ended = await Promise.race([
        run.then(() => true),
        new Promise((resolve) => setTimeout(resolve, 300, false)),
      ])
      if (ended === true) break
      for (const id of containersOf(port)) eaten += eatMemory(id) ? 1 : 0
    }
    expect([(await run).code, (await run).verdict().outcome]).toEqual([2, 'regressed'])
    expect(said(await run)).toMatch(/was ended by the kernel: more memory than memory_gib|for want of memory/)
  })
})

/** Once the engine serves: its first process is made the one that the kernel takes, and another of the container eats. */
function eatMemory(id: string): boolean {
  const pid = must('docker', ['inspect', '--format', '{{.State.Pid}}', id])
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    return false
  }
  const eat = 'const kept = []; for (;;) kept.push(Buffer.alloc(16 << 20, 1))'
  spawnSync('docker', ['exec', id, '/node', '-e', eat])
  return true
}

describe('an image that', () => {
  it('is in the registry is pulled by its digest before anything is started', async () => {
    const name = `${system('REGISTRY')}/gate/engine`
    must('docker', ['tag', system('IMAGE'), `${name}:1`])
    must('docker', ['push', '--quiet', `${name}:1`])
    const digest =
      must('docker', ['image', 'inspect', '--format', '{{index .RepoDigests 0}}', `${name}:1`]).split('@')[1] ?? ''
    must('docker', ['rmi', `${name}:1`])
    const image = `${name}@${digest}`
    const { path } = await manifestOf([], { image })
    const run = await gate.run('pulled', path, '--baseline', accepted, ...COLD)
    expect([run.code, run.verdict().outcome]).toEqual([0, 'held'])
    expect(run.stderr).toContain(`pulling ${image}\n`)

    const wrong = `${name}@sha256:${'0'.repeat(64)}`
    const refused = await gate.run('wrong', (await manifestOf([], { image: wrong }, MINIMUM)).path, ...COLD)
    expect([refused.code, refused.stdout]).toEqual([4, ''])
    expect(refused.stderr).toMatch(/\nerror: the registry has no image .*0000.*\nhint: .+\n$/)
  })

  it('is named by no digest is refused by the manifest’s rules', async () => {
    const { path } = await manifestOf([], { image: 'capacity-gate-test/engine:1' }, MINIMUM)
    const run = await gate.run('tag', path, ...COLD)
    expect([run.code, run.stdout]).toEqual([4, ''])
    expect(run.stderr).toMatch(/^error: .*engine:1", without a digest\nhint: .+\n$/)
  })

  it('is neither here nor to be had is an error before anything is started', async () => {
    const absent = `127.0.0.1:1/gate/engine@sha256:${'1'.repeat(64)}`
    const run = await gate.run('absent', (await manifestOf([], { image: absent }, MINIMUM)).path, ...COLD)
    expect([run.code, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toMatch(
      /\nerror: the image .* is not on this machine and cannot be pulled: .*refused.*\nhint: .+\n$/,
    )
  })
})

describe('a run that', () => {
  it('asks for GPUs that are not there ends before anything is started', async () => {
    const { path } = await manifestOf([], {}, MINIMUM)
    const text = must('cat', [path]).replace('gpus: 0', 'gpus: 1')
    writeFileSync(path, text)
    const run = await gate.run('gpu', path, ...COLD)
    expect([run.code, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toMatch(/\nerror: the GPUs that the manifest asks for are not there: .*\nhint: .+\n$/)
  })

  it('is ended by SIGTERM removes its containers within its ten seconds', async () => {
    const { path, port } = await manifestOf([], {}, MINIMUM)
    const run = gate.begin('terminated', path, ...COLD)
    await run.said(': ready after')
    expect(containersOf(port)).toHaveLength(1)
    run.child.kill('SIGTERM')
    expect((await run.ended).code).toBe(143)
  })

  it('was killed leaves its container to the next, which removes it and says so', async () => {
    const { path, port } = await manifestOf([])
    const killed = gate.begin('killed', path, '--baseline', accepted, ...COLD)
    await killed.said(': ready after')
    killed.child.kill('SIGKILL')
    await killed.ended
    const left = containersOf(port)
    expect(left).toHaveLength(1)
    const run = await gate.run('after-killed', path, '--baseline', accepted, ...COLD)
    expect([run.code, run.verdict().outcome]).toEqual([0, 'held'])
    expect(run.stderr).toContain(
      `removed what run ${killed.child.pid} left of deployment cold-boot-1: container ${left[0]?.slice(0, 12)}`,
    )
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'loses the daemon by %s blames the host, and leaves nothing',
    async (signal) => {
      const daemon = daemonIn(join(system('FOLDER'), 'docker'))
      const { path } = await manifestOf([], {}, MINIMUM)
      const run = gate.begin(`daemon-${signal}`, path, ...COLD)
      await run.said(': ready after')
      await daemon.stop(signal)
      const ended = await run.ended
      await daemon.start()
      expect([ended.code, ended.stdout]).toEqual([1, ''])
      expect(ended.stderr).toMatch(/\nerror: the Docker daemon cannot be reached: .*\nhint: .+\n$/)
      expect(ended.stderr).toMatch(/invalid – .*(?:from outside|out of sight)/)
      // What the daemon still lists has ended, and is removed by whatever cleans up next.
      const post = start('post', [], { DOCKER_HOST: daemon.host, TMPDIR: join(folder, 'state') })
      expect((await post.ended).code).toBe(0)
    },
  )
})
