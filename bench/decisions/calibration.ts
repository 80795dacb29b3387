import { VirtualEngine } from '../../test/virtual/virtual-engine.ts'
import type { LeanExperiment } from './lean-point.ts'
import { measureLean } from './lean-point.ts'
import { revision } from './study.ts'

export interface CapacitySearch {
  seed: number
  speed: number
  /** Lowest and highest rate looked at, and how closely the capacity is found. */
  fromMilliRps: number
  toMilliRps: number
  stepMilliRps: number
}

/** The highest rate that passes on one boot without spread: attainment falls steadily with the rate. Each rate on a fresh engine. */
export function capacitySearch(experiment: LeanExperiment, search: CapacitySearch): number {
  const { cache } = experiment.schedule.header
  let pass = search.fromMilliRps
  let fail = search.toMilliRps
  while (fail - pass > search.stepMilliRps) {
    const rate = Math.round((pass + fail) / 2)
    const key = { cache, load: { openMilliRps: rate }, repeat: 1 }
    const replicas = experiment.manifest.engine.placement.replicas
    const engine = new VirtualEngine(revision(search.seed, 0, search.speed), 1, replicas)
    const { point } = measureLean(experiment, key, { engine, deployId: 'boot-1', startUs: 1_000_000 })
    if (point.outcome === 'pass') pass = rate
    else fail = rate
  }
  return pass
}
