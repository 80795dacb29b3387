import type { ReportInput } from './context.ts'

/** What a verdict on another job's pack rests on, in plain sentences of our own words; none where it was measured here. */
export function recheckLines({ verdict, context: { recheck } }: ReportInput): string[] {
  if (recheck === undefined) return []
  const { isFork, packOutcome, unbuiltSchedules } = recheck
  return [
    isFork
      ? 'Measured for a fork, whose author chose what ran. Every number was computed again from the raw files, and the verdict against this repository’s own baseline. That the raw files were measured, and not made up, is not proven.'
      : '',
    unbuiltSchedules === 0
      ? ''
      : 'A schedule was taken as it stands: the trace or dataset that it is made of is not in this checkout.',
    packOutcome === verdict.outcome
      ? ''
      : `${ownWord(packOutcome)} What stands here is compared with the baseline of now.`,
  ].filter((line) => line !== '')
}

function ownWord(outcome: string | null): string {
  return outcome === null
    ? 'The job that measured left no verdict of its own.'
    : `The job that measured ended as \`${outcome}\`, against the baseline that it saw.`
}
