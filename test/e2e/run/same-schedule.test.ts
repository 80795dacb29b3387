import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { tableRecords } from '../../../src/core/record/table.ts'
import { parseCalibration } from '../../../src/core/telemetry/calibration-file.ts'
import { freePorts } from '../../fakes/free-port.ts'
import { root } from '../cli/cli-process.ts'
import { gateFolder } from './gate-run.ts'
import { quickManifest } from './quick-manifest.ts'

/** An engine that carries half of what it is asked: first tokens come later and later, from at once to after four seconds. */
const TOKEN_US = 400
const FLAGS = [
  '--slots',
  '24',
  '--token-budget',
  '128',
  '--base-us',
  '1000',
  '--per-prefill-token-us',
  String(TOKEN_US),
]
/** The longest that it is busy with one step: by so much an arrival a hair later can meet another batch. */
const STEP_US = 1000 + 128 * TOKEN_US
/** About half of each class meets it. */
const CUTOFF_MS = 2000
const POINT = 'points/cold-open-24000-r1'

const gate = gateFolder()
let engine: ReturnType<typeof spawn>
let endpoint: string
let manifest: string

beforeAll(async () => {
  const port = await freePorts(1)
  endpoint = `http://127.0.0.1:${port}`
  engine = spawn(process.execPath, ['fixtures/engine/main.ts', '--port', String(port), ...FLAGS], { cwd: root })
  const client = {
    initial_scheduled_requests: 94,
    class_schedule_counts: { short: 47, long: 47 },
    request_timeout_seconds: 60,
  }
  manifest = (await quickManifest(gate.folder, { client, acceptance: { class_slo_attainment_min: 0.01 } })).path
  const draft = parse(readFileSync(manifest, 'utf8')) as Manifest
  for (const entry of draft.workload) entry.request_ttft_cutoff_ms = CUTOFF_MS
  writeFileSync(manifest, stringify(draft))
})
afterAll(async () => {
  engine.kill('SIGKILL')
  await once(engine, 'exit')
})

/** One point of a pack of its own: its requests by id, and the client's own error at P99. */
async function replayed(name: string) {
  const pack = join(gate.folder, name)
  const order = ['--endpoint', endpoint, '--rate', '24', '--cache', 'cold', '--pack', pack, '--json']
  const ended = await gate.command('replay', manifest, ...order)
  expect(ended).not.toMatchObject({ stdout: '' })
  const table = await readRequestsCsv(readFileSync(join(pack, POINT, 'requests.csv'), 'utf8'))
  const calibration = parseCalibration(readFileSync(join(pack, POINT, 'calibration.json'), 'utf8'))
  const errorUs = calibration.made ? calibration.errors.ttft.p99Us + calibration.errors.sendLag.p99Us : NaN
  return { records: new Map([...tableRecords(table)].map((record) => [record.id, record])), errorUs }
}

const ttftUs = ({ firstTokenUs, sentUs }: RequestRecord) => (firstTokenUs ?? NaN) - (sentUs ?? NaN)

it('judges the same schedule against the same engine alike, but for requests within the client’s error of a cutoff', async () => {
  const [one, other] = [await replayed('a'), await replayed('b')]
  expect([...one.records.keys()].toSorted()).toEqual([...other.records.keys()].toSorted())
  const marginUs = Math.max(one.errorUs, other.errorUs) + STEP_US
  for (const name of ['short', 'long']) {
    const pairs = [...one.records.values()]
      .filter((record) => record.class === name)
      .map((record) => [record, other.records.get(record.id) as RequestRecord] as const)
    expect(pairs.every((pair) => pair.every(({ status }) => status === 'ok'))).toBe(true)
    const passing = (which: 0 | 1) => pairs.filter((pair) => ttftUs(pair[which]) <= CUTOFF_MS * 1000).length
    const near = pairs.filter((pair) => pair.some((record) => Math.abs(ttftUs(record) - CUTOFF_MS * 1000) <= marginUs))
    // By its own word one in a hundred of the client's errors is larger.
    const allowed = near.length + Math.ceil(0.01 * pairs.length)
    expect(Math.abs(passing(0) - passing(1))).toBeLessThanOrEqual(allowed)
    expect(passing(0)).toBeGreaterThan(0)
    expect(passing(0)).toBeLessThan(pairs.length)
  }
})
