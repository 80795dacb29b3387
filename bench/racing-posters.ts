// Two posters of one gate at the same time, on a GitHub whose answers take a random while: `npm run bench -- racing-posters [TRIALS]`.
import { raceTrial } from '../test/contract/publisher/racing-posters.ts'
import type { RaceEnd } from '../test/contract/publisher/racing-posters.ts'

/** The client spaces its writes by a second or more, so that a trial mostly waits. */
const AT_ONCE = 25
const trials = Number(process.argv[2] ?? 100)

const ends: RaceEnd[] = []
for (let first = 0; first < trials; first += AT_ONCE) {
  const seeds = Array.from({ length: Math.min(AT_ONCE, trials - first) }, (_, index) => 1000 + first + index)
  ends.push(...(await Promise.all(seeds.map(raceTrial))))
}
const share = (isGood: (end: RaceEnd) => boolean) => `${ends.filter(isGood).length} of ${trials}`
process.stdout.write(
  [
    `left one comment:                 ${share(({ comments }) => comments === 1)}`,
    `that tells of every head:         ${share(({ lostHeads }) => lostHeads === 0)}`,
    `both posters know its address:    ${share(({ deadAddresses }) => deadAddresses === 0)}`,
    '',
  ].join('\n'),
)
if (ends.some(({ comments }) => comments !== 1)) process.exitCode = 1
