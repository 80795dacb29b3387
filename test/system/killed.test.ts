import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { start } from '../e2e/cli/cli-process.ts'
import { gateFolder } from '../e2e/run/gate-run.ts'
import { freePorts } from '../fakes/free-port.ts'
import { containerManifest } from './container-manifest.ts'
import { nothingLeft } from './containers.ts'
import { must } from './daemon.ts'

const DOCKER_HOST = process.env['DOCKER_HOST'] ?? ''
const gate = gateFolder({ DOCKER_HOST, SYSTEM_TOKEN: 'tops3cret-token' })
const { folder } = gate
const options = { acceptance: { min_capacity_rps: 24 } }
const COLD = ['--cache', 'cold']
const ports: number[] = []
afterEach(async () => assert.deepEqual(await nothingLeft(ports), []))

describe('one replica of four', () => {
  it('that dies in its warm-up is regressed, and named; no secret is in the pack', async () => {
    const flags = ['--fault', 'crash_after_requests={replica}5']
    const { path } = await containerManifest(folder, flags, { secrets: ['SYSTEM_TOKEN'] }, options)
    const manifest = parse(readFileSync(path, 'utf8')) as { engine: { placement: object; deploy: object } }
    const first_port = await freePorts(4)
    ports.push(first_port, first_port + 1, first_port + 2, first_port + 3)
    Object.assign(manifest.engine.placement, { dp: 4, replicas: 4 })
    Object.assign(manifest.engine.deploy, { first_port })
    writeFileSync(path, stringify(manifest))
    const run = await gate.run('four', path, ...COLD)
    expect([run.code, run.verdict().outcome]).toEqual([2, 'regressed'])
    const reasons = run.points().flatMap(({ reasons: given }) => given.map(({ text }) => text))
    expect(reasons.join('\n')).toMatch(/replica 0 ended with exit code 134/)
    // The crash is told of no other replica.
    expect(reasons.join('\n')).not.toMatch(/replica [123] ended/)
    assert.equal(must('sh', ['-c', 'grep -rl "$0" "$1" || true', 'tops3cret-token', run.pack]), '')
  })
})

describe('a run that was killed', () => {
  it('after its engine had ended leaves the container to `post`, and no program that waits for it', async () => {
    const { path, port } = await containerManifest(folder, [], {}, options)
    ports.push(port)
    const run = gate.begin('killed', path, ...COLD)
    await run.said(': ready after')
    const [id = '', ...others] = must('docker', ['ps', '-q', '--filter', 'label=capacity-gate.owner']).split('\n')
    expect(others).toEqual([])
    // Stopped, it reads no event: what follows the daemon has nothing more to write, and does not learn that nobody reads it.
    run.child.kill('SIGSTOP')
    must('docker', ['kill', id])
    await expect.poll(() => must('docker', ['ps', '-q', '--filter', 'label=capacity-gate.owner'])).toBe('')
    run.child.kill('SIGKILL')
    await run.ended
    const post = await start('post', [], { DOCKER_HOST, TMPDIR: join(folder, 'state') }).ended
    expect([post.code, post.stderr]).toEqual([
      0,
      expect.stringContaining(`removed what run ${run.child.pid} left of deployment cold-boot-1: container ${id}`),
    ])
    await expect.poll(() => nothingLeft([port]), { timeout: 5000 }).toEqual([])
  })
})
