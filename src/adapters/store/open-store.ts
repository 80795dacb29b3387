import type { BaselineStore } from '../../app/ports/store.ts'
import { directoryStore } from './directory.ts'
import { singleFileStore } from './single-file.ts'
import { parseStoreRef } from './store-ref.ts'

/** The store that a reference names: `dir:PATH`, or `file:PATH` to read one record. Throws GateError, exit 64, for any other. */
export function openStore(ref: string): BaselineStore {
  const { kind, path } = parseStoreRef(ref)
  return kind === 'dir' ? directoryStore(path) : singleFileStore(path)
}
