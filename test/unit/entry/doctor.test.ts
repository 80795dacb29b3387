import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineServer } from '../../../fixtures/engine/server/engine-server.ts'
import { parseOptions } from '../../../fixtures/engine/server/options.ts'
import type { Diagnosis } from '../../../src/app/doctor.ts'
import { freePorts } from '../../fakes/free-port.ts'
import { cli } from './cli-in-process.ts'

let server: EngineServer
let endpoint: string

beforeAll(async () => {
  const options = parseOptions(['--port', '0'])
  if (typeof options === 'string') throw new Error(options)
  server = new EngineServer(options, () => undefined)
  endpoint = `http://127.0.0.1:${await server.start()}`
})
afterAll(() => server.stop(0))

describe('doctor --endpoint', () => {
  it('finds the embedded engine usable, with every probe answered', async () => {
    const ended = await cli('doctor', '--endpoint', endpoint, '--json')
    const diagnosis = JSON.parse(ended.stdout) as Diagnosis
    expect([ended.code, ended.stderr, diagnosis.usable]).toEqual([0, '', true])
    const [section] = diagnosis.sections
    expect(section?.facts).toMatchObject({ dialect: 'fixture', version: '1.0', models: [{ id: 'fixture' }] })
    expect(section?.findings.filter(({ state }) => state !== 'pass')).toEqual([])
    expect(section?.findings.length).toBeGreaterThan(18)
  })

  it('says it to people, a finding a line', async () => {
    const { code, stdout } = await cli('doctor', '--endpoint', endpoint, '--keep-cache')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^USABLE: .*\nendpoint http.*\n {2}speaks fixture \(embedded engine\): its model cards/)
    expect(stdout).toMatch(/^ {2}pass: cache\.cached_tokens: 496 of 512/m)
    expect(stdout).not.toMatch(/cache\.reset/)
  })

  it('says what it costs to speak the wrong dialect, and how to mend it', async () => {
    const { code, stdout } = await cli('doctor', '--endpoint', endpoint, '--dialect', 'sglang')
    expect(code).toBe(3)
    expect(stdout).toMatch(/^NOT USABLE/)
    expect(stdout).toMatch(
      /unknown: endpoint\.dialect: fixture fits better: .*\n {4}so .*\n {4}mend: Name the dialect that fits/,
    )
    expect(stdout).toMatch(
      /unknown \(required\): endpoint\.version: .*answers 404.*\n {4}so identity\.version is unknown/,
    )
  })

  it('finds nobody at home, as a finding', async () => {
    const { code, stdout, stderr } = await cli('doctor', '--endpoint', `http://127.0.0.1:${await freePorts()}`)
    expect([code, stderr]).toEqual([3, ''])
    expect(stdout).toMatch(/fail \(required\): endpoint\.reachable: refuses connections/)
  })

  it.each([
    [['--endpoint', 'nowhere'], /"nowhere" is no endpoint/],
    [['--endpoint', 'http://u:p@host'], /is no endpoint/],
    [['--endpoint', 'http://127.0.0.1:9', '--dialect', 'vlm'], /"vlm" is no dialect: there are vllm, sglang/],
    [['--dialect', 'vllm'], /are about an engine that is up/],
    [['--keep-cache'], /are about an engine that is up/],
  ])('%j is a misuse', async (args, says) => {
    const { code, stdout, stderr } = await cli('doctor', ...args)
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toMatch(says)
  })

  it('looks at this machine as well where it is asked to; the engine comes first', async () => {
    const ended = await cli('doctor', '--endpoint', endpoint, '--machine', '--json')
    const { sections } = JSON.parse(ended.stdout) as Diagnosis
    expect(sections.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^endpoint /),
      'the client',
      'this machine',
    ])
    expect(sections[2]?.findings.map(({ probe }) => probe)).toContain('machine.disk')
  })

  it('looks at the engine beside a manifest that is none, and ends with its exit code', async () => {
    const ended = await cli('doctor', 'package.json', '--endpoint', endpoint, '--json')
    const { sections, usable } = JSON.parse(ended.stdout) as Diagnosis
    expect([ended.code, usable]).toEqual([4, false])
    expect(sections.map(({ title }) => title)).toEqual(['manifest package.json', `endpoint ${endpoint}`])
  })
})

describe('doctor without an endpoint', () => {
  const pack = 'fixtures/packs/h100-vllm/workload-manifest.yaml'
  const findings = (stdout: string) => (JSON.parse(stdout) as Diagnosis).sections.flatMap((section) => section.findings)

  it('looks at this machine', async () => {
    const { sections } = JSON.parse((await cli('doctor', '--json')).stdout) as Diagnosis
    expect(sections.map(({ title }) => title)).toEqual(['the client', 'this machine'])
  })

  it('says what a manifest needs to be run here, and what of the machine is in the way', async () => {
    const ended = await cli('doctor', pack, '--json')
    const { sections } = JSON.parse(ended.stdout) as Diagnosis
    expect(sections.map(({ title }) => title)).toEqual([`manifest ${pack}`, 'the client', 'this machine'])
    const [needs] = sections
    expect(needs?.summary).toEqual(['vllm 0.32.0 as vllm (vLLM), by docker: replicas 4, GPUs 8'])
    const probes = findings(ended.stdout).map(({ probe }) => probe)
    expect(probes).toEqual(
      expect.arrayContaining(['manifest.rules', 'needs.docker', 'needs.image', 'needs.weights', 'needs.ports']),
    )
    expect(findings(ended.stdout)).toContainEqual(
      expect.objectContaining({ probe: 'needs.weights', state: 'fail', required: true, mend: expect.any(String) }),
    )
    expect(needs?.findings.filter(({ state, mend }) => state !== 'pass' && mend === null)).toEqual([])
    expect(ended.code).toBe(3)
  })

  it('asks the servers that a manifest names, and nothing of what is there already', async () => {
    const manifest = parse(readFileSync('fixtures/packs/embedded/workload-manifest.yaml', 'utf8'))
    manifest.engine.deploy = { kind: 'endpoint', urls: [endpoint] }
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
    const file = join(folder, 'workload-manifest.yaml')
    writeFileSync(file, stringify(manifest))
    const { sections } = JSON.parse((await cli('doctor', file, '--json')).stdout) as Diagnosis
    rmSync(folder, { recursive: true })
    expect(sections.map(({ title }) => title)).toEqual([
      `manifest ${file}`,
      `endpoint ${endpoint}`,
      'the client',
      'this machine',
    ])
    expect(sections[0]?.findings.filter(({ probe }) => probe.startsWith('needs.'))).toEqual([])
  })

  it('looks at the machine beside a manifest that breaks its rules, each with its line and mend', async () => {
    const { code, stdout, stderr } = await cli('doctor', 'fixtures/packs/broken-benchmark/workload-manifest.yaml')
    expect([code, stderr]).toEqual([4, ''])
    expect(stdout).toMatch(/^NOT USABLE/)
    expect(stdout).toMatch(
      /fail \(required\): manifest\.benchmark-concurrency-only: line \d+.*\n {4}so a run refuses it\n {4}mend: /,
    )
    expect(stdout).toMatch(/\nthe client\n {2}pass: client\.node: .*\nthis machine\n/s)
  })

  it('refuses a manifest that is not there', async () => {
    expect(await cli('doctor', 'nowhere.yaml')).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/no such file/),
    })
  })

  it('has a mend for all that it finds amiss in a manifest', async () => {
    const { stdout, code } = await cli('doctor', 'fixtures/packs/h100-vllm/workload-manifest.yaml')
    expect(code).toBe(3)
    expect(stdout).toMatch(
      /fail \(required\): needs\.weights: ENOENT.*\n {4}so the run ends.*\n {4}mend: Put the weights/,
    )
  })
})

describe('a machine that answers, and is no engine', () => {
  const asked = async (listener: RequestListener) => {
    const odd = createServer(listener)
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
    const ended = await cli('doctor', '--endpoint', `http://127.0.0.1:${(odd.address() as AddressInfo).port}`)
    odd.closeAllConnections()
    odd.close()
    return ended
  }

  it.each<[string, RequestListener, RegExp]>([
    [
      'with web pages',
      (_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html>'),
      /fail \(required\): endpoint\.models: \/v1\/models answers HTML/,
    ],
    [
      'with 404s',
      (_, answer) => answer.writeHead(404).end('nope'),
      /fail \(required\): endpoint\.models: \/v1\/models answers 404: nope/,
    ],
    [
      'with megabytes',
      (_, answer) => answer.end('x'.repeat(8_000_000)),
      /fail \(required\): endpoint\.reachable: answered more than 1048576 bytes/,
    ],
    [
      'with JSON of its own, and terminal codes in it',
      (_, answer) => answer.setHeader('content-type', 'application/json').end('{"data":[{"id":"a\\u001b[31m"}]}'),
      /fail \(required\): generation\.completions: a body of type application\/json/,
    ],
    ['by hanging up', (request) => request.socket.destroy(), /fail \(required\): endpoint\.reachable: /],
  ])('%s is not usable', async (_how, listener, says) => {
    const { code, stdout, stderr } = await asked(listener)
    expect([code, stderr]).toEqual([3, ''])
    expect(stdout).toMatch(says)
    expect(stdout).not.toContain('\u001b')
  })
})
