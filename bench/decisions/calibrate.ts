// What a slower engine costs in capacity, by virtual search: node bench/decisions/calibrate.ts [schedules] [speed …]
import { capacitySearch } from './calibration.ts'
import { experimentsOf, SPEED_OF_A_TENTH_LESS, STATES } from './study.ts'

const RANGE = { fromMilliRps: 18_000, toMilliRps: 32_000, stepMilliRps: 20 }

const schedules = Number(process.argv[2] ?? 8)
const asked = process.argv.slice(3).map(Number)
const speeds = [1, ...(asked.length > 0 ? asked : [SPEED_OF_A_TENTH_LESS])]
for (const cache of STATES) {
  const found = speeds.map(() => [] as number[])
  for (let seed = 1; seed <= schedules; seed += 1) {
    const experiment = experimentsOf(seed)[cache]
    for (const [index, speed] of speeds.entries()) {
      found[index]?.push(capacitySearch(experiment, { seed, speed, ...RANGE }))
    }
  }
  const means = found.map((rates) => rates.reduce((sum, rate) => sum + rate, 0) / rates.length)
  for (const [index, mean] of means.entries()) {
    const rates = found[index] ?? []
    const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / Math.max(1, rates.length - 1)
    const loss = 1 - mean / (means[0] ?? mean)
    process.stdout.write(
      `${cache}, speed ${speeds[index]}: ${(mean / 1000).toFixed(2)} RPS, ${(100 * loss).toFixed(2)} % less; ` +
        `${((100 * Math.sqrt(variance)) / mean).toFixed(2)} % from schedule to schedule (n = ${rates.length})\n`,
    )
  }
}
