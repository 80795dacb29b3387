// Two jobs add to one branch's history at the same time: `npm run bench -- history-writers [TRIALS]`.
import { writersTrial } from '../test/contract/store/history-writers.ts'

const trials = Number(process.argv[2] ?? 100)
let [whole, pushes] = [0, 0]
for (let trial = 0; trial < trials; trial += 1) {
  const end = await writersTrial()
  if (end.isWhole) whole += 1
  pushes += end.pushes
}
process.stdout.write(`lost nothing: ${whole} of ${trials}; pushes sent: ${pushes} for ${2 * trials} runs\n`)
if (whole < trials) process.exitCode = 1
