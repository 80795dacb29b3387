// Two jobs tell the same drift at the same time, on a GitHub whose answers take a random while: `npm run bench -- racing-drifts [TRIALS]`.
import { driftRace } from '../test/contract/issue-tracker/racing-drifts.ts'

/** The client spaces its writes by seconds, so that a trial mostly waits. */
const AT_ONCE = 20
const trials = Number(process.argv[2] ?? 100)
const open: number[] = []
let made = 0
for (let first = 0; first < trials; first += AT_ONCE) {
  const seeds = Array.from({ length: Math.min(AT_ONCE, trials - first) }, (_, index) => 1000 + first + index)
  for (const end of await Promise.all(seeds.map(driftRace))) {
    open.push(end.open)
    made += end.made
  }
}
const one = open.filter((count) => count === 1).length
process.stdout.write(`left one open issue: ${one} of ${trials}; issues made: ${made}\n`)
if (one < trials) process.exitCode = 1
