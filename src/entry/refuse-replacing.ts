import { isSameFile } from '../adapters/system/same-file.ts'
import { usage } from './usage.ts'

export interface NamedFile {
  /** As the user knows it: `--out`, `the manifest`. */
  name: string
  path: string
}

/** Throws GateError `usage` (exit 64) where a file that is to be written is one of those that are read, through links too. */
export async function refuseReplacing(output: NamedFile, others: readonly NamedFile[]): Promise<void> {
  for (const { name, path } of others) {
    if (!(await isSameFile(output.path, path))) continue
    throw usage(`${output.name} would replace ${name === '--out' ? 'what --out writes' : name}`, 'name another file')
  }
}
