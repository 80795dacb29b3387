import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DeployOrder } from '../../src/app/ports/engine.ts'
import { DEPLOY_MARK } from '../../src/adapters/engine/leftovers.ts'
import { familyMembers } from '../../src/adapters/system/process-family.ts'
import { commandLineOf, listProcesses } from '../../src/adapters/system/process-table.ts'
import { FIXTURE } from '../../src/core/dialect/fixture-table.ts'
import { freePorts } from './free-port.ts'
import { processManifest } from './manifest.ts'
import type { ManifestChange } from './manifest.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const TINY_ENGINE = fileURLToPath(import.meta.resolve('./tiny-engine.ts'))

let tags = 0

export interface EngineBench {
  order: DeployOrder
  firstPort: number
  printed: string[]
  /** Processes of this bench that live, workers that hid included. */
  living(): Promise<number[]>
}

/** An order for tiny engines that behave as the flags say. */
export async function engineBench(flags: readonly string[], change: ManifestChange = {}): Promise<EngineBench> {
  tags += 1
  const tag = `tag-${process.pid}-${tags}`
  const firstPort = await freePorts(change.replicas ?? 1)
  const argv = ['{node}', TINY_ENGINE, '--port', '{port}', '--tag', tag, ...flags]
  const printed: string[] = []
  const manifest = processManifest({ argv, firstPort, ...change })
  return {
    firstPort,
    printed,
    order: { manifest, dialect: FIXTURE, deployId: tag, log: { write: (chunk) => printed.push(chunk) } },
    async living() {
      const marked = await familyMembers({ leaders: [], marks: { [DEPLOY_MARK]: tag } })
      const named = (await listProcesses()).filter(({ pid }) => commandLineOf(pid)?.includes(tag))
      return [...new Set([...marked, ...named].map(({ pid }) => pid))]
    },
  }
}
