import { nodeRefusal } from './needed-node.ts'

// Whatever is imported above is loaded before the first line runs, and the command line needs a newer Node even to be loaded.
const refusal = nodeRefusal(process.versions.node)
if (refusal === null) await import('./command-line.ts')
else {
  process.stderr.write(refusal)
  process.exitCode = 1
}
