import type { HistoryStore } from '../../app/ports/history.ts'
import { historyBranch } from './history-branch.ts'
import { historyDirectory } from './history-directory.ts'
import type { HistoryOptions } from './history-file.ts'
import type { RepositoryAccess } from './open-store.ts'
import { parseStoreRef } from './store-ref.ts'

/** The history that a reference names: `branch:NAME[:FOLDER]` or `dir:PATH`. Throws GateError `store_ref_invalid`, exit 64, for any other. */
export async function openHistory(
  ref: string,
  repository: RepositoryAccess,
  options: HistoryOptions,
): Promise<HistoryStore> {
  const parsed = parseStoreRef(ref, 'a history')
  if (parsed.kind === 'dir') return historyDirectory(parsed.path, options)
  return historyBranch({ ...parsed, remote: await repository.remote() }, { env: repository.env, ...options })
}
