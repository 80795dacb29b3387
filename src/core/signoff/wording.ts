import type { StateVerdict } from '../gate/verdict.ts'
import type { AcceptedDigests, PackEvidence } from './evidence.ts'

/** One line: the outcome, and what it carries beside the guard rate, or the first reason of an outcome that is no pass. */
export function stateText({ outcome, candidateMilliRps, guardMilliRps, reasons, acceptedLoss }: StateVerdict): string {
  if (outcome !== 'held' && outcome !== 'improved') return `${outcome}: ${reasons[0]?.text ?? 'no reason is given'}`
  const carries = candidateMilliRps === null ? '' : `: carries ${candidateMilliRps / 1000} RPS`
  const guard = guardMilliRps === null ? '' : `; the guard rate is ${guardMilliRps / 1000}`
  if (acceptedLoss === undefined) return `${outcome}${carries}${guard}`
  const { floorMilliRps, acceptedBy, expires } = acceptedLoss
  return `${outcome}${carries}${guard}; a loss down to ${floorMilliRps / 1000} was accepted by ${acceptedBy} until ${expires}`
}

/** What a reader should know of packs that count. */
export function packNotes(packs: readonly PackEvidence[], accepted: AcceptedDigests): string[] {
  const notes = packs.flatMap(({ source, verdict, unverified }) => {
    const { baselineSha256, anchorSha256 } = verdict
    const old = baselineSha256 !== null && accepted !== null && accepted.current !== baselineSha256
    const unheld = accepted !== null && accepted.anchor !== null && accepted.anchor !== anchorSha256
    return [
      ...unverified.map((text) => `${source}: ${text}`),
      ...(old ? [`${source}: the baseline that it was compared with has been replaced since`] : []),
      ...(unheld ? [`${source}: it was not held to what is the last release’s record now`] : []),
    ]
  })
  if (accepted === null && packs.length > 0) {
    notes.push('no store of baselines was named: that the packs’ own baselines were accepted is not proven')
  }
  return notes
}
