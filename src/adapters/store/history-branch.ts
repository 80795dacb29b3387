import type { HistoryStore } from '../../app/ports/history.ts'
import { printableLine } from '../system/bounded-http.ts'
import type { BranchOptions } from './branch-commit.ts'
import { commitToBranch, readBranch } from './branch-commit.ts'
import type { BranchAddress } from './branch-copy.ts'
import { placeIn, shownBranch } from './branch-copy.ts'
import type { HistoryOptions } from './history-file.ts'
import { HISTORY_FILE, PAGE_FILE, requireOwnPage, requireRoom } from './history-file.ts'

/**
 * A history on an orphan branch of a repository: the folder's two files, `history.jsonl` and its page, always of one commit. A branch that is
 * missing is an empty history, and the first run that is added makes it.
 */
export function historyBranch(address: BranchAddress, options: BranchOptions & HistoryOptions): HistoryStore {
  const place = { ...address, holds: 'the history' }
  return {
    location: shownBranch(place),
    read: () => readBranch(place, options, async (files) => (await files.text(HISTORY_FILE)) ?? ''),
    async update(change, note) {
      await commitToBranch(place, options, async (files) => {
        const text = (await files.text(HISTORY_FILE)) ?? ''
        const changed = change(text)
        requireRoom(changed, placeIn(place, HISTORY_FILE))
        if (changed === text) return null
        const added = [{ path: HISTORY_FILE, text: changed }]
        if (options.drawPage !== null) {
          requireOwnPage(await files.text(PAGE_FILE), placeIn(place, PAGE_FILE))
          added.push({ path: PAGE_FILE, text: options.drawPage(changed) })
        }
        return { files: added, message: `${printableLine(note, 300)}\n` }
      })
    },
  }
}
