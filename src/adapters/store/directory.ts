import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BaselineStore, PromotionOn } from '../../app/ports/store.ts'
import type { CapacityRecord } from '../../core/capacity/record.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import { fileError, systemErrorCode } from '../system/file-errors.ts'
import { takeLock } from '../system/locks.ts'
import { makeFolder } from '../system/make-folder.ts'
import type { AcceptedFiles } from './accepted-files.ts'
import { filesToAdd, gateFolder, recordPlace, standingIn } from './accepted-files.ts'
import { readRecordText } from './record-file.ts'

/** How long another promotion into the same folder is waited for. */
const LOCK_WAIT_MS = 10_000

/** A folder of accepted records, laid out as `AcceptedFiles` says. */
export function directoryStore(folder: string): BaselineStore {
  const files = filesIn(folder)
  return {
    location: `dir:${folder}`,
    ...standingIn(files),
    async accept(record, promotionOn) {
      const place = join(folder, gateFolder(record))
      // What is refused makes no folder either.
      await promotionOn(standingIn(files))
      try {
        await makeFolder(place)
        await using _ = await takeLock(join(place, '.lock'), {
          what: `the baselines in ${place}`,
          waitMs: LOCK_WAIT_MS,
        })
        return await add(folder, files, record, promotionOn)
      } catch (error) {
        throw fileError(error, 'accept the record into', place)
      }
    },
  }
}

async function add(
  folder: string,
  files: AcceptedFiles,
  record: CapacityRecord,
  promotionOn: PromotionOn,
): Promise<{ path: string }> {
  const promotion = await promotionOn(standingIn(files))
  for (const { path, text } of await filesToAdd(files, record, promotion)) {
    await makeFolder(join(folder, dirname(path)))
    await writeAtomically(join(folder, path), text)
  }
  return { path: join(folder, recordPlace(record)) }
}

function filesIn(root: string): AcceptedFiles {
  return {
    async names(folder) {
      try {
        return await readdir(join(root, folder))
      } catch (error) {
        if (systemErrorCode(error) === 'ENOENT') return []
        throw fileError(error, 'read the accepted records in', join(root, folder), EXIT.invalid)
      }
    },
    text: (path) => readRecordText(join(root, path)),
    shown: (path) => join(root, path),
  }
}
