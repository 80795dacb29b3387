import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { quickFlags, quickManifest } from '../e2e/run/quick-manifest.ts'
import type { QuickOptions } from '../e2e/run/quick-manifest.ts'
import { system } from './containers.ts'

export interface ContainerManifest {
  path: string
  port: number
  /** The override of a subject that differs in its engine's flags. */
  subject(name: string, flags: readonly string[]): string
}

/** The quick manifest's engine in a container; a minimum makes its runs gates without a baseline. */
export async function containerManifest(
  folder: string,
  flags: readonly string[] = [],
  deploy: Record<string, unknown> = {},
  options: QuickOptions = {},
): Promise<ContainerManifest> {
  const argsOf = (own: readonly string[]) => ['/engine/main.ts', ...quickFlags(own)]
  const container = { kind: 'docker', image: system('IMAGE'), argv: undefined, args: argsOf(flags), ...deploy }
  const { path, port } = await quickManifest(folder, { ...options, deploy: container })
  return {
    path,
    port,
    subject(name, own) {
      const file = join(folder, `${name}.yaml`)
      writeFileSync(file, stringify({ engine: { deploy: { args: argsOf(own) } } }))
      return file
    },
  }
}
