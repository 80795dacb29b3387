import type { BaselineStore } from '../../app/ports/store.ts'
import type { CapacityRecord } from '../../core/capacity/record.ts'
import type { Promotion } from '../../core/gate/promotion-schema.ts'
import { printableLine } from '../system/bounded-http.ts'
import { filesToAdd, recordPlace, standingIn } from './accepted-files.ts'
import type { BranchOptions } from './branch-commit.ts'
import { commitToBranch, readBranch } from './branch-commit.ts'
import type { BranchAddress } from './branch-copy.ts'
import { placeIn, shownBranch } from './branch-copy.ts'

/**
 * Accepted records on an orphan branch of a repository, laid out as `AcceptedFiles` says; one commit a promotion. A branch that is
 * missing holds nothing, and the first promotion makes it.
 */
export function branchStore(address: BranchAddress, options: BranchOptions): BaselineStore {
  const place = { ...address, holds: 'the baselines' }
  return {
    location: shownBranch(place),
    load: (key) => readBranch(place, options, (files) => standingIn(files).load(key)),
    history: (key) => readBranch(place, options, (files) => standingIn(files).history(key)),
    async accept(record, promotionOn) {
      await commitToBranch(place, options, async (files) => {
        const promotion = await promotionOn(standingIn(files))
        return { files: await filesToAdd(files, record, promotion), message: commitMessage(record, promotion) }
      })
      return { path: placeIn(place, recordPlace(record)) }
    },
  }
}

function commitMessage({ gateId, kind, commit }: CapacityRecord, promotion: Promotion): string {
  const line = (text: string) => printableLine(text, 500)
  const facts = [
    `Accepted-by: ${line(promotion.acceptedBy)}`,
    ...promotion.approvedBy.map((name) => `Approved-by: ${line(name)}`),
    ...(promotion.run === null ? [] : [`Run: ${line(promotion.run)}`]),
    ...(commit === null ? [] : [`Measured-at: ${line(commit)}`]),
  ]
  const as = promotion.anchor ? 'baseline and anchor' : 'baseline'
  return `Accept the ${as} of ${printableLine(gateId, 100)} (${kind})\n\n${line(promotion.reason)}\n\n${facts.join('\n')}\n`
}
