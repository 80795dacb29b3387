import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openPack } from '../../../src/adapters/system/pack.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import type { Discrepancy } from '../../../src/app/verify/discrepancy.ts'
import type { CapacityRecord, PointReport } from '../../../src/core/capacity/record.ts'
import type { StateVerdict, Verdict } from '../../../src/core/gate/verdict.ts'
import type { Cache } from '../../../src/core/kernel/point.ts'
import { scratch, start } from '../cli/cli-process.ts'
import type { Ended, Started } from '../cli/cli-process.ts'

export interface GateRun extends Ended {
  pack: string
  /** What standard output held. Throws where it held no verdict. */
  verdict(): Verdict
  state(cache: Cache): StateVerdict
  points(): PointReport[]
}

/** The command line on packs in a folder of the test's own, which also holds what its runs know of each other. */
export interface GateFolder {
  folder: string
  begin(pack: string, manifest: string, ...options: string[]): Started
  run(pack: string, manifest: string, ...options: string[]): Promise<GateRun>
  command(...args: string[]): Promise<Ended>
  /** Of the packs that `run` left here. */
  packs(): string[]
}

/** Made anew; removed after the file's tests. `environment` is the command line's beside its PATH, HOME and TMPDIR. */
export function gateFolder(environment: Record<string, string> = {}): GateFolder {
  const folder = scratch()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const state = join(folder, 'state')
  mkdirSync(state, { recursive: true })
  const packs = new Set<string>()
  const begin = (...args: string[]): Started => start('cli', args, { TMPDIR: state, ...environment })
  const runArgs = (pack: string, manifest: string, options: string[]) => ['run', manifest, '--pack', pack, ...options]
  return {
    folder,
    begin: (pack, manifest, ...options) => begin(...runArgs(join(folder, pack), manifest, options)),
    async run(name, manifest, ...options) {
      const pack = join(folder, name)
      const ended = await begin(...runArgs(pack, manifest, options), '--json').ended
      if (ended.stdout !== '') packs.add(pack)
      return gateRun(ended, pack)
    },
    command: (...args) => begin(...args).ended,
    packs: () => [...packs],
  }
}

function gateRun(ended: Ended, pack: string): GateRun {
  const verdict = (): Verdict => {
    if (ended.stdout === '') throw new Error(`there is no verdict: ${ended.stderr}`)
    return JSON.parse(ended.stdout) as Verdict
  }
  return {
    ...ended,
    pack,
    verdict,
    state(cache) {
      const found = verdict().states.find((state) => state.cache === cache)
      if (!found) throw new Error(`the verdict has no state ${cache}`)
      return found
    },
    points() {
      verdict()
      return readRecord(pack).capacity.flatMap(({ points }) => points)
    },
  }
}

export function readRecord(pack: string): CapacityRecord {
  return JSON.parse(readFileSync(join(pack, 'capacity.json'), 'utf8')) as CapacityRecord
}

export async function discrepanciesOf(pack: string): Promise<Discrepancy[]> {
  return (await verifyPack(await openPack(pack))).discrepancies
}
