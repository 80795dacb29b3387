import { expect, it } from 'vitest'
import { explorationConcurrencies } from '../../../src/core/capacity/exploration.ts'
import { readManifestFile } from '../../../src/entry/read-inputs.ts'
import { discrepanciesOf, gateFolder, readRecord } from './gate-run.ts'
import { quickManifest } from './quick-manifest.ts'

const gate = gateFolder()
const SWEEP = ['--plan', 'sweep', '--cache', 'cold']

/** Carries about 28 RPS: between two of the rates that auto chooses from, and near neither. */
const FASTER = ['--per-prefill-token-us', '98']

it('a sweep finds its rates itself, though it is interrupted while it explores', async () => {
  const { path } = await quickManifest(gate.folder, {
    flags: FASTER,
    sweep: { rates_rps: 'auto', refine_step: 0.3 },
  })
  const { manifest } = await readManifestFile(path, 'deployable')
  const [first = 0, second = 0] = explorationConcurrencies(manifest)
  const interrupted = gate.begin('auto', path, ...SWEEP)
  await interrupted.said(`cold-closed-${second}-r1`)
  interrupted.child.kill('SIGINT')
  expect((await interrupted.ended).code).toBe(130)

  const resumed = await gate.run('auto', path, ...SWEEP, '--resume')
  const [cold] = readRecord(resumed.pack).capacity
  const loads = cold?.points.map(({ key }) => key.load) ?? []
  expect(loads.slice(0, 2)).toEqual([{ closedConcurrency: first }, { closedConcurrency: second }])
  expect(loads.filter((load) => 'closedConcurrency' in load && load.closedConcurrency === first)).toHaveLength(1)
  expect(cold?.reasons[0]).toMatchObject({ code: 'saturation' })
  expect([cold?.passMilliRps, cold?.failMilliRps]).toEqual([25_000, 31_500])
  expect(await discrepanciesOf(resumed.pack)).toEqual([])
})
