import { describe, expect, it } from 'vitest'
import { clientSection } from '../../../../src/app/doctor/client-section.ts'
import type { DoctorReport } from '../../../../src/app/doctor.ts'
import type { Calibration } from '../../../../src/core/telemetry/calibration.ts'
import type { ClientFacts } from '../../../../src/core/telemetry/client-host.ts'
import { fakeClientHost } from '../../../fakes/client-host.ts'
import { smallExample } from '../../../virtual/virtual-manifest.ts'

interface Case {
  change?: Partial<ClientFacts>
  manifest?: ReturnType<typeof smallExample> | null
  kept?: Partial<Calibration> | null
}

function told({ change = {}, manifest = smallExample(), kept = null }: Case = {}): Promise<DoctorReport> {
  const calibrator = { kept: async () => kept as Calibration | null }
  const section = clientSection({ host: fakeClientHost(change), calibrator, manifest, neededNode: '22.19' })
  return section.examine(new AbortController().signal)
}

describe('the client’s section', () => {
  it('holds what is there against the highest rate, the cutoffs and the closed loops', async () => {
    const manifest = smallExample()
    const { facts } = await told({ manifest })
    const highest = Math.max(...(manifest.sweep?.rates_rps as number[]))
    const meanSeconds = manifest.workload.reduce((sum, shape) => {
      return (
        sum + (shape.mix * (shape.request_ttft_cutoff_ms + shape.request_tpot_cutoff_ms * shape.output_tokens)) / 1000
      )
    }, 0)
    expect(facts['load']).toMatchObject({ rps: highest, inFlight: Math.ceil(highest * meanSeconds), ceiling: null })
    if (manifest.sweep) manifest.sweep.saturation_concurrency = [4096]
    expect((await told({ manifest })).facts['load']).toMatchObject({ inFlight: 4096 })
  })

  it('requires what a manifest needs, with the cost and the mend of what lacks', async () => {
    const { findings } = await told({ change: { descriptors: { limit: 64, open: 30 }, clockSource: 'hpet' } })
    expect(findings.find(({ probe }) => probe === 'client.descriptors')).toMatchObject({
      state: 'fail',
      required: true,
      cost: expect.stringContaining('invalid'),
      mend: expect.stringContaining('ulimit -n'),
    })
    expect(findings.find(({ probe }) => probe === 'client.clock')).toMatchObject({ state: 'fail', required: false })
    expect(findings.filter(({ state, cost }) => state !== 'pass' && cost === null)).toEqual([])
  })

  it('believes a calibration more than the usual cost', async () => {
    const heavy = { eventsPerSecond: 10, cpuUsPerEvent: 1e6, readDelayP50Us: 0 }
    const { findings } = await told({ kept: { heavy } })
    expect(findings.find(({ probe }) => probe === 'client.cores')).toMatchObject({
      state: 'fail',
      required: true,
      text: expect.stringContaining('by its calibration'),
    })
  })

  it('tells what there is without a manifest, and without a rate', async () => {
    const bare = await told({ manifest: null })
    expect([bare.summary, bare.facts['load']]).toEqual([[], null])
    const { sweep: _, ...rest } = smallExample()
    const unrated = await told({ manifest: rest })
    expect(unrated.summary).toEqual(['the manifest states no rate: what a rate needs is not known'])
  })
})
