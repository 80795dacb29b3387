import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const NAME = 'gate-tests-'

/**
 * Gives a run of the tests a folder for temporary files of its own, and removes it with whatever lies in it. What tests leave for the next
 * run of the gate there (locks, deployments, calibrations) is never found by anybody else's.
 */
export function setup(): () => void {
  // Once for every project; the first makes it for all.
  if (basename(tmpdir()).startsWith(NAME)) return () => undefined
  const earlier = process.env['TMPDIR']
  const folder = mkdtempSync(join(tmpdir(), NAME))
  process.env['TMPDIR'] = folder
  return () => {
    if (earlier === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = earlier
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
