import type { LineFault } from '../history/lines.ts'

const FAULTS_MAX = 5

/** The lines of a history that were passed over, each with why, for a sentence. */
export function faultsText(faults: readonly LineFault[]): string {
  const named = faults.slice(0, FAULTS_MAX).map(({ line, code }) => `line ${line} (${code})`)
  const more = faults.length > FAULTS_MAX ? ` and ${faults.length - FAULTS_MAX} more` : ''
  return `${named.join(', ')}${more}`
}
