import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'

/** The golden file's text, to be equal byte for byte; `UPDATE_GOLDEN=1` first writes it anew, for a reviewer to read. */
export function golden(name: string, text: string): string {
  const path = join(import.meta.dirname, '../../../golden/history', name)
  if (env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return readFileSync(path, 'utf8')
}
