import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const NAME = 'gate-tests-'

/**
 * Gives a run of the tests a folder for temporary files of its own, removed with whatever lies in it when the run ends. What tests leave for
 * the next run of the gate there (locks, deployments, calibrations) is never found by anybody else's.
 */
export function setup(): void {
  // Once for every project; the first makes it for all.
  if (basename(tmpdir()).startsWith(NAME)) return
  const folder = mkdtempSync(join(tmpdir(), NAME))
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}
