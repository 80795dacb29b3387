import type { BaselineStore } from '../../app/ports/store.ts'
import type { CapacityRecord } from '../../core/capacity/record.ts'
import { parseCapacityRecord } from '../../core/gate/read.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { readRecordText } from './record-file.ts'

/** One capacity.json that is compared with, whatever its gate and kind: the gate says what does not fit. It is never written. */
export function singleFileStore(path: string): BaselineStore {
  const location = `file:${path}`
  return {
    location,
    load: async () => ({ baseline: await readRecord(path), anchor: null }),
    history: async () => [],
    accept: async () => {
      throw new GateError({
        code: 'store_read_only',
        message: `${location} is one record, not a place to accept records into`,
        hint: 'use branch:NAME or dir:PATH',
        exitCode: EXIT.usage,
      })
    },
  }
}

/** Throws GateError for one that is not there, corrupt or of a newer schema, naming the path: nothing ever makes this file. */
async function readRecord(path: string): Promise<CapacityRecord> {
  const text = await readRecordText(path)
  if (text !== null) return parseCapacityRecord(text, path)
  throw new GateError({
    code: 'file_not_found',
    message: `cannot read the baseline ${path}: there is no such file`,
    hint: 'check the path; it is taken from the current folder (a place without a baseline yet is named as branch:NAME or dir:PATH)',
    exitCode: EXIT.invalid,
  })
}
