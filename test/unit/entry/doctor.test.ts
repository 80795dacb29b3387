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
    [[], /required option '--endpoint <url>'/],
  ])('%j is a misuse', async (args, says) => {
    const { code, stdout, stderr } = await cli('doctor', ...args)
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toMatch(says)
  })

  it('looks at this machine as well where it is asked to; the engine comes first', async () => {
    const ended = await cli('doctor', '--endpoint', endpoint, '--machine', '--json')
    const { sections } = JSON.parse(ended.stdout) as Diagnosis
    expect(sections.map(({ title }) => title)).toEqual([expect.stringMatching(/^endpoint /), 'this machine'])
    expect(sections[1]?.findings.map(({ probe }) => probe)).toContain('machine.disk')
  })

  it('refuses a manifest that is none', async () => {
    const ended = await cli('doctor', 'package.json', '--endpoint', endpoint)
    expect(ended).toMatchObject({ code: 4, stdout: '' })
  })
})
