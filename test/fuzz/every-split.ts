// Reads each recorded stream whole at every place between two of its bytes, which takes minutes: `node test/fuzz/every-split.ts [SITUATION]`.
import { storedExpectations } from '../unit/stream/expected.ts'
import { answersOf, situations } from '../unit/stream/recorded.ts'
import { everySplitWhole } from '../unit/stream/split-check.ts'

const start = performance.now()
let streams = 0
let splits = 0
let faults = 0
for (const situation of situations().filter((one) => one.startsWith(process.argv[2] ?? ''))) {
  const { streams: records } = storedExpectations(situation)
  for (const answer of answersOf(situation)) {
    const record = records.get(answer.name)
    if (!record) continue
    const found = everySplitWhole(answer, record)
    streams++
    splits += answer.body.length + 1
    if (found !== null) {
      faults++
      console.log(`${situation}/${answer.name}: ${found}`)
    }
  }
}
console.log(
  `${streams} streams, ${splits} split points, ${faults} faults in ${Math.round((performance.now() - start) / 1000)} s`,
)
process.exitCode = faults === 0 ? 0 : 1
