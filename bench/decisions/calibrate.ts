// What a slower engine costs in capacity, by virtual search: node bench/decisions/calibrate.ts [schedules] [speed …]
import type { Cache } from '../../src/core/kernel/point.ts'
import { VirtualEngine } from '../../test/virtual/virtual-engine.ts'
import type { LeanExperiment } from './lean-point.ts'
import { measureLean } from './lean-point.ts'
import { experimentsOf, revision, SPEED_OF_A_TENTH_LESS, STATES } from './study.ts'

const RESOLUTION_MILLI_RPS = 20

/** The highest rate that passes, to 0.1 %, on one boot without spread; attainment falls steadily with the rate. */
function capacityMilliRps(experiment: LeanExperiment, cache: Cache, seed: number, speed: number): number {
  let pass = 18_000
  let fail = 32_000
  while (fail - pass > RESOLUTION_MILLI_RPS) {
    const rate = (pass + fail) / 2
    const key = { cache, load: { openMilliRps: Math.round(rate) }, repeat: 1 }
    const engine = new VirtualEngine(revision(seed, 0, speed), 1, experiment.manifest.engine.placement.replicas)
    const { point } = measureLean(experiment, key, { engine, deployId: 'boot-1', startUs: 1_000_000 })
    if (point.outcome === 'pass') pass = rate
    else fail = rate
  }
  return pass
}

const schedules = Number(process.argv[2] ?? 8)
const asked = process.argv.slice(3).map(Number)
const speeds = [1, ...(asked.length > 0 ? asked : [SPEED_OF_A_TENTH_LESS])]
for (const cache of STATES) {
  const bySpeed = speeds.map(() => [] as number[])
  for (let seed = 1; seed <= schedules; seed += 1) {
    const experiment = experimentsOf(seed)[cache]
    for (const [index, speed] of speeds.entries()) {
      bySpeed[index]?.push(capacityMilliRps(experiment, cache, seed, speed))
    }
  }
  const means = bySpeed.map((found) => found.reduce((sum, one) => sum + one, 0) / found.length)
  for (const [index, mean] of means.entries()) {
    const found = bySpeed[index] ?? []
    const deviation = Math.sqrt(found.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, found.length - 1))
    const loss = 1 - mean / (means[0] ?? mean)
    process.stdout.write(
      `${cache}: speed ${speeds[index]}: ${(mean / 1000).toFixed(2)} RPS, ${(100 * loss).toFixed(2)} % less; ` +
        `${((100 * deviation) / mean).toFixed(2)} % from schedule to schedule (n = ${found.length})\n`,
    )
  }
}
