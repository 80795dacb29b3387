import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../system/atomic-write.ts'
import { ownIdentity, pidSpace } from '../system/process-table.ts'
import type { ProcessIdentity } from '../system/process-table.ts'
import { stateFolder } from '../system/state-folder.ts'

const identitySchema = z.object({ pid: z.int().min(2), started: z.string() })
const entrySchema = z.object({
  version: z.literal(1),
  deployId: z.string(),
  boot: z.string(),
  container: z.string(),
  owner: identitySchema,
  ports: z.array(z.int()),
  processes: z.array(identitySchema),
})

/** One deployment that stands, as a later run finds it. */
export type RegistryEntry = z.infer<typeof entrySchema>

/** The file of one deployment: there before anything is started, gone when nothing of it is left. */
export interface RegistryFile {
  add(identity: ProcessIdentity): Promise<void>
  remove(): Promise<void>
}

const FILE = /^deploy-[0-9a-f-]+\.json$/

/** Writes down that a deployment is about to be started. Throws GateError where the state folder cannot be used. */
export async function registerDeployment(
  deployId: string,
  ports: readonly number[],
  parent?: string,
): Promise<RegistryFile> {
  const path = join(await stateFolder(parent), `deploy-${randomUUID()}.json`)
  const entry: RegistryEntry = {
    version: 1,
    deployId,
    ...pidSpace(),
    owner: await ownIdentity(),
    ports: [...ports],
    processes: [],
  }
  let writing = writeAtomically(path, JSON.stringify(entry), 0o600)
  await writing
  return {
    add(identity) {
      entry.processes.push({ pid: identity.pid, started: identity.started })
      const text = JSON.stringify(entry)
      writing = writing.then(() => writeAtomically(path, text, 0o600))
      return writing
    },
    async remove() {
      await writing.catch(() => undefined)
      await rm(path, { force: true })
    },
  }
}

/** Every deployment that is written down, by any run of this user on this machine; a file that is none of ours is passed over. */
export async function registeredDeployments(parent?: string): Promise<{ path: string; entry: RegistryEntry }[]> {
  const folder = await stateFolder(parent)
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).toSorted()
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const text = await readFile(path, 'utf8').catch(() => null)
      const entry = text === null ? null : parseEntry(text)
      return entry === null ? [] : [{ path, entry }]
    }),
  )
  return found.flat()
}

function parseEntry(text: string): RegistryEntry | null {
  try {
    return entrySchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
