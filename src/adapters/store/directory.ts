import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AcceptedRecords, BaselineStore } from '../../app/ports/store.ts'
import type { CapacityRecord } from '../../core/capacity/record.ts'
import { parseCapacityRecord } from '../../core/gate/read.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { sha256Hex } from '../../core/kernel/hash.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import { fileError, systemErrorCode } from '../system/file-errors.ts'
import { takeLock } from '../system/locks.ts'
import { makeFolder } from '../system/make-folder.ts'
import { readRecord, readRecordText, recordText } from './record-file.ts'

/** How long another promotion into the same folder is waited for. */
const LOCK_WAIT_MS = 10_000

/**
 * A folder of accepted records: `<kind>/<gate id>/{baseline,anchor}.json` and `history/` with every record that was ever one of them.
 * The kind is part of the path, so that a simulated record is never found where a measured one is looked for.
 */
export function directoryStore(folder: string): BaselineStore {
  return {
    location: `dir:${folder}`,
    load: (key) => loadAccepted(keyFolder(folder, key), key),
    history: (key) => loadHistory(join(keyFolder(folder, key), 'history'), key),
    async accept(record, as) {
      const place = keyFolder(folder, record)
      try {
        await makeFolder(join(place, 'history'))
        await using _ = await takeLock(join(place, '.lock'), {
          what: `the baselines in ${place}`,
          waitMs: LOCK_WAIT_MS,
        })
        return await acceptInto(place, record, as)
      } catch (error) {
        throw fileError(error, 'accept the record into', place)
      }
    },
  }
}

/** A gate id is the user's own word; as a folder's name it is encoded, so that no id leaves its place. */
function keyFolder(folder: string, key: { gateId: string; kind: CapacityRecord['kind'] }): string {
  const name = encodeURIComponent(key.gateId).replaceAll(/^\.+/g, (dots) => '%2E'.repeat(dots.length))
  if (name !== '' && name.length <= 200) return join(folder, key.kind, name)
  throw new GateError({
    code: 'gate_id_invalid',
    message: `the gate id ${JSON.stringify(key.gateId.slice(0, 100))} is empty or too long`,
    hint: 'set gate.id in the manifest to a short name',
    exitCode: EXIT.invalid,
  })
}

async function loadAccepted(
  place: string,
  key: { gateId: string; kind: CapacityRecord['kind'] },
): Promise<AcceptedRecords> {
  const load = async (name: string) => {
    const path = join(place, name)
    const record = await readRecord(path)
    if (record && (record.kind !== key.kind || record.gateId !== key.gateId)) throw misplaced(path, record)
    return record
  }
  return { baseline: await load('baseline.json'), anchor: await load('anchor.json') }
}

/** Files' names begin with the time of their record. What is damaged, of a newer schema or of another gate is passed over. */
async function loadHistory(
  place: string,
  key: { gateId: string; kind: CapacityRecord['kind'] },
): Promise<CapacityRecord[]> {
  const records: CapacityRecord[] = []
  for (const name of (await historyNames(place)).toSorted()) {
    try {
      const record = await readRecord(join(place, name))
      if (record?.kind === key.kind && record.gateId === key.gateId) records.push(record)
    } catch (error) {
      if (!(error instanceof GateError && error.code.startsWith('record_'))) throw error
    }
  }
  return records
}

async function historyNames(place: string): Promise<string[]> {
  try {
    return (await readdir(place)).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw fileError(error, 'read the accepted records in', place, EXIT.invalid)
  }
}

async function acceptInto(place: string, record: CapacityRecord, as: { anchor: boolean }): Promise<{ path: string }> {
  const names = as.anchor ? ['baseline.json', 'anchor.json'] : ['baseline.json']
  for (const name of names) await keepFormer(place, join(place, name))
  const text = recordText(record)
  // History first: whatever stands as the baseline is in it, also when this is cut off in between.
  await writeAtomically(join(place, 'history', historyName(record.createdAt, text)), text)
  for (const name of names.toReversed()) await writeAtomically(join(place, name), text)
  return { path: join(place, 'baseline.json') }
}

/** What is replaced stays in the history, also a damaged file; one of a newer schema is not replaced by an older tool. */
async function keepFormer(place: string, path: string): Promise<void> {
  const text = await readRecordText(path)
  if (text === null) return
  let createdAt = 'unreadable'
  try {
    createdAt = parseCapacityRecord(text, path).createdAt
  } catch (error) {
    if (error instanceof GateError && error.code === 'record_schema_newer') throw error
  }
  await writeAtomically(join(place, 'history', historyName(createdAt, text)), text)
}

/** `<created at>-<first eight hex digits of the file's SHA-256>.json`; a time's colons are no part of a portable file name. */
function historyName(createdAt: string, text: string): string {
  return `${createdAt.replaceAll(/[^0-9A-Za-z.-]/g, '').slice(0, 40)}-${sha256Hex(text).slice(0, 8)}.json`
}

function misplaced(path: string, record: CapacityRecord): GateError {
  return new GateError({
    code: 'record_misplaced',
    message: `${path} holds a ${record.kind} record of gate ${JSON.stringify(record.gateId.slice(0, 100))}`,
    hint: 'it was moved by hand: put the right record there, or promote again',
    exitCode: EXIT.invalid,
  })
}
