import type { Pack } from '../ports/pack.ts'

/** A file that a run may have or not: one of an earlier content that no longer holds must not stand. */
export async function writeOrRemove(pack: Pack, path: string, content: string | Uint8Array | null): Promise<void> {
  if (content === null) await pack.remove(path)
  else await pack.write(path, content)
}
