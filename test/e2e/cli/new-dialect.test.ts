import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { DoctorFinding } from '../../../src/app/doctor.ts'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import { freePorts } from '../../fakes/free-port.ts'
import { cli, root, scratch } from './cli-process.ts'
import { embeddedManifest } from './embedded-manifest.ts'

const ALIEN_ENGINE = fileURLToPath(import.meta.resolve('../../fakes/alien-engine.ts'))

/** All that the gate knows of this engine. */
const ALIEN = `
base: openai
title: Acme Serve
paths: {models: /catalogue, metrics: /stats, completions: /infer, chat: /talk}
health: {path: /status, field: state.now, healthy: [ready]}
version: [{path: /about, field: build.tag}]
reset: {paths: [/cache/wipe], reading: {by: status, done: [204], refused: [409]}}
request_id_header: null
connection: {closes_after_ms: 60000}
request:
  max_tokens: n_out
  chat_max_tokens: n_out
  min_tokens: floor
  ignore_eos: exact
  return_token_ids: ids_back
  include_usage: tally
  continuous_usage: running_tally
  cache_salt: salt
metrics:
  running: {names: [acme_num_requests_running]}
  waiting: {names: [acme_num_requests_waiting]}
  kv_usage: {names: [acme_kv_cache_usage_perc]}
  prompt_tokens: {names: [acme_prompt_tokens_total]}
  prompt_tokens_cached: {names: [acme_prompt_tokens_cached_total]}
  generation_tokens: {names: [acme_generation_tokens_total]}
  preemptions: {names: [acme_num_preemptions_total]}
stability:
  - {id: rejections, names: [acme_admission_rejections_total], title: requests refused at the door}
`

let engine: ReturnType<typeof spawn>
let endpoint: string

beforeAll(async () => {
  const port = await freePorts()
  endpoint = `http://127.0.0.1:${port}`
  engine = spawn(process.execPath, [ALIEN_ENGINE, '--port', String(port)], {
    cwd: root,
    stdio: 'ignore',
  })
  while (
    !(await fetch(`${endpoint}/status`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (engine.exitCode !== null) throw new Error(`the engine ended with ${engine.exitCode}`)
  }
})
afterAll(() => engine.kill('SIGKILL'))

async function manifestOf(folder: string): Promise<string> {
  const { path } = await embeddedManifest(folder)
  const manifest = parse(readFileSync(path, 'utf8'))
  const { placement } = manifest.engine
  manifest.engine = { name: 'acme-serve', version: '7.2', placement: { ...placement, dp: 1, replicas: 1 } }
  manifest.engine.dialect = parse(ALIEN)
  manifest.acceptance.min_successful_samples_per_class = 3
  writeFileSync(path, stringify(manifest))
  return path
}

describe('an engine that only a manifest knows', () => {
  it('is measured by the point protocol, every piece of evidence read in its own words', async () => {
    const folder = scratch()
    const path = await manifestOf(folder)
    const pack = join(folder, 'pack')
    const asked = ['replay', path, '--endpoint', endpoint, '--rate', '20', '--cache', 'cold', '--pack', pack, '--json']
    const ended = await cli(...asked)
    const point = JSON.parse(ended.stdout)
    expect(point.slo).toMatchObject({ attempted: expect.any(Number), failed: 0 })
    const states = Object.fromEntries(point.evidence.map(({ probe, state }: Evidence) => [probe, state]))
    expect(states).toMatchObject({
      'identity.version': 'pass',
      'identity.model': 'pass',
      'cache_hit.reset': 'pass',
      'cache_hit.cold': 'pass',
      'cache_hit.counters': 'pass',
      'stability.restarts': 'pass',
      'stability.rejections': 'pass',
      'stability.kv_usage': 'pass',
      'stability.quiesce': 'pass',
      'tokens.input': 'pass',
      'tokens.output': 'pass',
    })
    expect(states['littles_law.engine']).not.toBe('unknown')
    const telemetry = gunzipSync(readFileSync(join(pack, 'points/cold-open-20000-r1/telemetry.jsonl.gz'))).toString()
    expect(telemetry).toMatch(/"dialect":"openai\+[0-9a-f]{8}"/)
    expect(telemetry).not.toContain('vllm:')
    expect(await cli('verify', pack)).toMatchObject({ code: 0, stderr: '' })
  })

  it('is not usable without it', async () => {
    const { code, stdout } = await cli('doctor', '--endpoint', endpoint, '--json')
    const diagnosis = JSON.parse(stdout)
    expect([code, diagnosis.usable]).toEqual([3, false])
    expect(diagnosis.sections[0].findings).toContainEqual(
      expect.objectContaining({ probe: 'endpoint.health', state: 'fail', required: true }),
    )
  })

  it('is proven by the doctor, who is told of it by the manifest', async () => {
    const path = await manifestOf(scratch())
    const ended = await cli('doctor', path, '--endpoint', endpoint, '--json')
    const diagnosis = JSON.parse(ended.stdout)
    const findings: DoctorFinding[] = diagnosis.sections[0].findings
    const lacking = findings.filter(({ state }) => state !== 'pass').map(({ probe }) => probe)
    expect(lacking).toEqual([])
    expect([ended.code, diagnosis.usable]).toEqual([0, true])
    expect(findings.find(({ probe }) => probe === 'requests.unknown_fields')?.text).toBe('refused')
  })
})
