// The whole main job on this machine: sweep the embedded engine and accept its capacity, confirm the same revision, gate a slower one.
// Nothing is canned: the command line deploys the engine and sends every request. The packs stay in .demo/; the last demo's are replaced.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, runCommand } from './demo/command-line.ts'
import type { CommandEnd } from './demo/command-line.ts'
import type { Differences } from './demo/expectations.ts'
import { capacityDifferences, lossDifferences, outcomeDifferences } from './demo/expectations.ts'

const MANIFEST = 'fixtures/packs/demo/workload-manifest.yaml'
const SLOWER = 'fixtures/packs/demo/slower-prefill.yaml'
const FOLDER = '.demo'
const ACCEPTED = `dir:${FOLDER}/accepted`

interface Part {
  title: string
  /** What to check of how its commands ended; a difference ends the demo, since the next part builds on this one. */
  perform(): Promise<Differences>
}

const PARTS: readonly Part[] = [
  { title: 'Sweep both cache states for the capacity, and accept it as the baseline', perform: acceptBaseline },
  { title: 'Confirm the same revision: the gate must hold', perform: confirmSameRevision },
  {
    title: 'Gate a revision whose prefill takes 1.5 times as long: the gate must find the loss',
    perform: gateSlowerRevision,
  },
]

async function acceptBaseline(): Promise<Differences> {
  const pack = `${FOLDER}/baseline`
  const swept = await run(pack, ['--plan', 'sweep', '--on-missing-baseline', 'record'])
  const differences = [...outcomeDifferences(swept, 'recorded', 0), ...capacityDifferences(swept)]
  if (differences.length > 0) return differences
  const promoted = await runCommand(['promote', '--candidate', `${pack}/capacity.json`, '--to', ACCEPTED, '--yes'])
  process.stdout.write(promoted.standardOutput)
  return promoted.exitCode === 0 ? [] : [`the exit code of promote is ${promoted.exitCode}, not 0`]
}

async function confirmSameRevision(): Promise<Differences> {
  const end = await run(`${FOLDER}/same-revision`, ['--baseline', ACCEPTED])
  return outcomeDifferences(end, 'held', 0)
}

async function gateSlowerRevision(): Promise<Differences> {
  const end = await run(`${FOLDER}/slower-revision`, ['--subject', SLOWER, '--baseline', ACCEPTED])
  return [...outcomeDifferences(end, 'regressed', 2), ...lossDifferences(end)]
}

/** Runs the gate into a pack, and shows the head of the comment that a pull request would get. */
async function run(pack: string, options: readonly string[]): Promise<CommandEnd> {
  const end = await runCommand(['run', MANIFEST, ...options, '--pack', pack, '--json'])
  const report = await readFile(join(ROOT, pack, 'report.md'), 'utf8').catch(() => null)
  if (report !== null) console.log(`\n${commentHead(report)}\n\nexit code ${end.exitCode}, pack: ${pack}`)
  return end
}

/** Heading, sentence and the states' tables: what stands before the evidence. */
function commentHead(report: string): string {
  const [head = ''] = report.split('\n### Evidence')
  return head
    .trim()
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n')
}

async function main(): Promise<void> {
  const startMs = performance.now()
  await rm(join(ROOT, FOLDER), { recursive: true, force: true })
  await mkdir(join(ROOT, FOLDER))
  console.log(
    'Capacity Gate on its embedded engine: two replicas, which share this machine with the load that is sent to them.',
  )
  for (const [index, { title, perform }] of PARTS.entries()) {
    console.log(`\n${index + 1}/${PARTS.length} ${title}`)
    const differences = await perform()
    if (differences.length === 0) continue
    console.error(
      `\nThe demo came out otherwise in part ${index + 1}:\n${differences.map((line) => `- ${line}`).join('\n')}`,
    )
    console.error(`The packs tell why: ${FOLDER}/`)
    process.exitCode = 1
    return
  }
  const seconds = Math.round((performance.now() - startMs) / 1000)
  console.log(
    `\nAll three came out as they must, in ${seconds} s: recorded, held, regressed. The packs are in ${FOLDER}/.`,
  )
}

await main()
