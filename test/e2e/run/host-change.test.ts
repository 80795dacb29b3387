import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { standInGpu, standInMachine } from '../../fakes/stand-in-machine.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { discrepanciesOf, gateFolder, readRecord } from './gate-run.ts'
import type { GateFolder, GateRun } from './gate-run.ts'
import { quickFlags, quickManifest } from './quick-manifest.ts'
import type { QuickManifest } from './quick-manifest.ts'
import { scratch } from '../cli/cli-process.ts'

// No GPU: nvidia-smi is a stand-in on the PATH, the engine is the embedded one. The baseline was measured on one GPU, the rest on another.
const here = standInGpu(0)
const standIn = standInMachine(scratch(), { gpus: [here] })
const gate: GateFolder = gateFolder(standIn.env)
const program = join(gate.folder, 'engine-of-the-baseline')

let manifest: QuickManifest
let baseline: string
beforeAll(async () => {
  // What these tests are about must not hang on how busy the machine is: one rate, far below every limit.
  manifest = await quickManifest(gate.folder, {
    client: {
      initial_scheduled_requests: 40,
      class_schedule_counts: { short: 20, long: 20 },
      minimum_duration_seconds: 1.5,
      maximum_duration_seconds: 12,
      send_lag_p99_max_ms: 4000,
      offered_rate_min_share: 0.5,
    },
    sweep: { rates_rps: [8], refine_step: 0 },
    ttftCutoffMs: 5000,
    acceptance: { min_successful_samples_per_class: 15 },
  })
  const raw = parse(readFileSync(manifest.path, 'utf8')) as { engine: { placement: { gpus: number } } }
  raw.engine.placement.gpus = 1
  writeFileSync(manifest.path, stringify(raw))
  symlinkSync(process.execPath, program)
  const own = join(gate.folder, 'baseline.yaml')
  writeFileSync(
    own,
    stringify({ engine: { deploy: { argv: [program, 'fixtures/engine/main.ts', ...quickFlags([])] } } }),
  )
  const options = ['--subject', own, '--plan', 'sweep', '--cache', 'cold', '--on-missing-baseline', 'record']
  const first = await gate.run('accepted', manifest.path, ...options)
  if (first.verdict().outcome !== 'recorded') throw new Error(`no baseline came about: ${first.stdout}`)
  baseline = join(first.pack, 'capacity.json')
  standIn.tell({ gpus: [standInGpu(1)] })
}, 240_000)

const confirm = (name: string, ...options: string[]): Promise<GateRun> =>
  gate.run(name, manifest.path, '--baseline', `file:${baseline}`, '--cache', 'cold', ...options)
const recordOf = ({ pack }: GateRun): CapacityRecord => readRecord(pack)

describe('a machine with another GPU than the baseline’s', () => {
  it('is proven by the baseline’s revision before the candidate is measured', async () => {
    const run = await confirm('proven')
    expect([run.code, run.verdict().outcome]).toEqual([0, 'held'])
    expect(run.state('cold').notes.map(({ code }) => code)).toContain('host_proven')
    const { hostProof, capacity } = recordOf(run)
    const [proof] = hostProof?.capacity ?? []
    expect(proof?.points.map(({ outcome, deployId }) => [outcome, deployId])).toEqual([
      ['pass', 'baseline-cold-boot-1'],
    ])
    expect(capacity[0]?.points.map(({ deployId }) => deployId)).toEqual(['cold-boot-1'])
    // Each by its own program, as the system tells.
    const argv = proof?.points[0]?.evidence.find(({ probe }) => probe === 'identity.argv')
    expect(argv?.state).toBe('pass')
    expect(run.stderr).toContain('since this is another machine')
    expect(await discrepanciesOf(run.pack)).toEqual([])
  })

  it('is inconclusive at once where that is asked for, and names what differs', async () => {
    const run = await confirm('refused', '--on-host-change', 'fail')
    expect([run.code, run.verdict().outcome]).toEqual([3, 'inconclusive'])
    expect(run.verdict().reasons.map(({ code }) => code)).toEqual(['host_changed'])
    expect(run.verdict().reasons[0]?.text).toContain('gpuUuids')
    expect(recordOf(run).boots).toEqual([])
  })

  it('is compared as it is where that is asked for, and the report says so', async () => {
    const run = await confirm('as-it-is', '--on-host-change', 'accept')
    expect([run.code, recordOf(run).hostProof]).toEqual([0, undefined])
    expect(readFileSync(join(run.pack, 'report.md'), 'utf8')).toContain('compared all the same, as was asked for')
  })

  it('on which the baseline’s program is gone is inconclusive, and blames nobody', async () => {
    rmSync(program)
    const run = await confirm('gone')
    expect([run.code, run.verdict().outcome]).toEqual([3, 'inconclusive'])
    expect(run.verdict().reasons.map(({ code }) => code)).toEqual(['host_unproven'])
    expect(run.verdict().reasons[0]?.text).toContain('cannot be started')
    expect(recordOf(run).capacity).toEqual([])
    expect(await discrepanciesOf(run.pack)).toEqual([])
  })
})
