import { openForeignPack } from '../adapters/system/foreign-pack.ts'
import { INPUT_LIMITS, readInputText } from '../adapters/system/files.ts'
import { acceptedFacts } from '../app/accepted-losses.ts'
import { judgeForeignPack } from '../app/judge-foreign.ts'
import { requireManifest } from '../app/manifest.ts'
import type { BaselineStore } from '../app/ports/store.ts'
import { EXIT } from '../core/kernel/errors.ts'
import { gateId } from '../core/manifest/identity.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import type { ReportContext } from '../core/report/context.ts'
import { noVerdictComment } from '../core/report/no-verdict.ts'
import { checkedOutLosses } from './action-accepted.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { postComment, publish } from './action-publish.ts'
import { manifestSources } from './compose.ts'
import { failureOf } from './failure.ts'
import { today } from './read-inputs.ts'

/**
 * Publishes the pack of another job, which is taken as hostile. A refused one leaves a comment too: else the verdict of an earlier commit
 * would go on standing there. Resolves to 0 for any verdict: the job that measured fails for it.
 */
export async function commentOnPack(
  desk: ActionDesk,
  inputs: ActionInputs,
  context: ReportContext,
  openBaselines: () => Promise<BaselineStore>,
): Promise<number> {
  const manifest = await checkedOutManifest(inputs)
  try {
    const pack = await openForeignPack(inputs.pack)
    const accepted = await checkedOutLosses(desk, inputs, acceptedFacts(manifest, today()))
    const request = {
      manifest,
      acceptedLosses: accepted?.losses ?? [],
      sources: manifestSources(desk, inputs.manifest),
      onMissingBaseline: inputs.onMissingBaseline,
      onHostChange: inputs.onHostChange,
      isFork: desk.facts.isFork,
      context,
    }
    await publish(desk, inputs, await judgeForeignPack(pack, await openBaselines(), request))
    return EXIT.ok
  } catch (error) {
    const { code, what, hint } = failureOf(error)
    await postComment(desk, inputs, noVerdictComment({ gateId: gateId(manifest), code, what, hint, context }))
    throw error
  }
}

/** The manifest in this job's own checkout: no artifact says which gate it is of, and whose comment it may write. */
export async function checkedOutManifest({ manifest: path }: ActionInputs): Promise<Manifest> {
  const text = await readInputText({ what: 'the manifest', path, maximumBytes: INPUT_LIMITS.manifest })
  return requireManifest({ file: path, text, level: 'valid' })
}
