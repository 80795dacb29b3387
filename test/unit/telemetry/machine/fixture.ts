import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function machineFixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../../../fixtures/machine', name), 'utf8')
}

/** The UUID of the fixtures' GPU of that number. */
export function fixtureUuid(index: number): string {
  return `GPU-${String(index).repeat(8)}-0000-4000-8000-00000000000${index}`
}
