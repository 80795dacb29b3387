import { EXIT, GateError } from '../../core/kernel/errors.ts'

/** Where baselines are kept, as a user names it. */
export type StoreRef = { kind: 'dir'; path: string } | { kind: 'file'; path: string }

/** Reads `dir:PATH` or `file:PATH`. Throws GateError, exit 64: `store_unavailable` for `branch:NAME`, `store_ref_invalid`. */
export function parseStoreRef(ref: string): StoreRef {
  const [, kind, path] = /^([a-z]+):(.+)$/s.exec(ref) ?? []
  if (path !== undefined && !path.includes('\0') && (kind === 'dir' || kind === 'file')) return { kind, path }
  if (kind === 'branch') {
    throw new GateError({
      code: 'store_unavailable',
      message: `baselines on a branch (${ref.slice(0, 200)}) are not available in this version`,
      hint: 'use dir:PATH',
      exitCode: EXIT.usage,
    })
  }
  throw new GateError({
    code: 'store_ref_invalid',
    message: `${JSON.stringify(ref.slice(0, 200))} names no place for baselines`,
    hint: 'use dir:PATH for a folder of accepted records, or file:PATH for one capacity.json',
    exitCode: EXIT.usage,
  })
}
