import type { Manifest } from '../core/manifest/schema.ts'
import type { MachineLook } from './ports/machine.ts'

/** What of a machine a manifest asks to be looked at, while nothing of the engine stands. */
export function machineLook({ engine, machine }: Pick<Manifest, 'engine' | 'machine'>): MachineLook {
  return { withGpus: engine.placement.gpus > 0, dcgmUrl: machine.dcgm_url, owned: null }
}
