import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BaselineStore } from '../../app/ports/store.ts'
import type { CapacityRecord } from '../../core/capacity/record.ts'
import type { Promotion } from '../../core/gate/promotion-schema.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import { fileError, systemErrorCode } from '../system/file-errors.ts'
import { takeLock } from '../system/locks.ts'
import { makeFolder } from '../system/make-folder.ts'
import type { AcceptedFiles } from './accepted-files.ts'
import { filesToAdd, gateFolder, loadAccepted, loadHistory, recordPlace } from './accepted-files.ts'
import { readRecordText } from './record-file.ts'

/** How long another promotion into the same folder is waited for. */
const LOCK_WAIT_MS = 10_000

/** A folder of accepted records, laid out as `AcceptedFiles` says. */
export function directoryStore(folder: string): BaselineStore {
  const files = filesIn(folder)
  return {
    location: `dir:${folder}`,
    load: (key) => loadAccepted(files, key),
    history: (key) => loadHistory(files, key),
    async accept(record, promotion) {
      const place = join(folder, gateFolder(record))
      try {
        await makeFolder(place)
        await using _ = await takeLock(join(place, '.lock'), {
          what: `the baselines in ${place}`,
          waitMs: LOCK_WAIT_MS,
        })
        return await add(folder, files, record, promotion)
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
  promotion: Promotion,
): Promise<{ path: string }> {
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
