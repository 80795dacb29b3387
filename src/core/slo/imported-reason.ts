import type { Reason } from '../kernel/evidence.ts'

/**
 * Why nothing that another tool measured proves a capacity: there is no frozen schedule to hold the sends to, and no word of how the
 * client itself fared.
 */
export function importedReason(origin: string): Reason {
  const text = `${origin} sent these requests; nothing proves when each was due, nor that the client kept up: open-loop validity cannot be proven`
  return { code: 'imported_cohort', text }
}
