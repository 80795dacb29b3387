import type { BaselineStore } from '../../app/ports/store.ts'
import { branchStore } from './branch.ts'
import { directoryStore } from './directory.ts'
import type { GitRemote } from './git-program.ts'
import { singleFileStore } from './single-file.ts'
import { parseStoreRef } from './store-ref.ts'

/** What a store on a branch needs to know of its surroundings. */
export interface RepositoryAccess {
  env: Readonly<Record<string, string | undefined>>
  /** The repository whose branch it is; asked for only where one is named. Throws GateError where there is none. */
  remote(): Promise<GitRemote>
}

/**
 * The store that a reference names: `branch:NAME[:FOLDER]`, `dir:PATH`, or `file:PATH` to read one record. Throws GateError, exit 64, for
 * any other.
 */
export async function openStore(ref: string, repository: RepositoryAccess): Promise<BaselineStore> {
  const parsed = parseStoreRef(ref)
  switch (parsed.kind) {
    case 'dir':
      return directoryStore(parsed.path)
    case 'file':
      return singleFileStore(parsed.path)
    case 'branch':
      return branchStore({ ...parsed, remote: await repository.remote() }, { env: repository.env })
  }
}
