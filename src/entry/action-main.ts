import { openStore } from '../adapters/store/open-store.ts'
import { setAsideEarlierPack } from '../adapters/system/earlier-pack.ts'
import { INPUT_LIMITS, readInputText } from '../adapters/system/files.ts'
import { openPack } from '../adapters/system/pack.ts'
import { acceptedFacts, recordAcceptedFacts } from '../app/accepted-losses.ts'
import { gatePack, packRecord, packVerdict } from '../app/gate-pack.ts'
import { requireGate } from '../app/judge-foreign.ts'
import { lint } from '../app/lint.ts'
import { requireManifest } from '../app/manifest.ts'
import type { BaselineStore } from '../app/ports/store.ts'
import { promote } from '../app/promote.ts'
import type { Promoted } from '../app/promote.ts'
import { run } from '../app/run/run.ts'
import { changeText } from '../core/gate/experiment-changes.ts'
import { EXIT } from '../core/kernel/errors.ts'
import { gateId } from '../core/manifest/identity.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import type { ReportContext, ReportInput } from '../core/report/context.ts'
import { markdownCode, markdownText } from '../core/report/escape.ts'
import { checkedOutManifest, commentOnPack } from './action-comment.ts'
import { checkedOutLosses } from './action-accepted.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { readActionInputs } from './action-inputs.ts'
import { keepHistory } from './action-history.ts'
import { lintManifest } from './action-lint.ts'
import { failureOutputs, packOutputs } from './action-outputs.ts'
import { publish, setOutputs, summarise } from './action-publish.ts'
import { signOffStep } from './action-sign-off.ts'
import { composeEffects } from './compose.ts'
import { requireApproved } from './event-facts.ts'
import { failureOf, failureText } from './failure.ts'
import { findingAnnotations } from './finding-annotations.ts'
import { interruptible } from './interruptible.ts'
import { today } from './read-inputs.ts'
import { workflowAcceptance } from './promotion-right.ts'
import { reportContext } from './report-context.ts'
import { workflowRepository } from './repository-access.ts'
import { saveEnd, saveRun } from './step-state.ts'

/** The whole step. Outputs are set before it fails, whatever it fails for. Resolves to the exit code; never throws. */
export async function runAction(desk: ActionDesk): Promise<number> {
  let inputs: ActionInputs | null = null
  try {
    inputs = readActionInputs(desk.input)
    if (inputs.token !== '') desk.setSecret(inputs.token)
    const exitCode = await perform(desk, inputs)
    saveEnd(desk, 'ended')
    return exitCode
  } catch (error) {
    return fail(desk, inputs, error)
  }
}

async function perform(desk: ActionDesk, inputs: ActionInputs): Promise<number> {
  const context = reportContext(desk.facts, inputs)
  switch (inputs.command) {
    case 'run':
      return publish(desk, inputs, await measure(desk, inputs, context))
    case 'gate': {
      const { onMissingBaseline, onHostChange } = inputs
      const pack = await openPack(inputs.pack)
      requireGate(await packRecord(pack), await checkedOutManifest(inputs))
      const facts = recordAcceptedFacts(await packRecord(pack), today())
      const acceptedLosses = await checkedOutLosses(desk, inputs, facts)
      const request = { onMissingBaseline, onHostChange, acceptedLosses, context }
      const settled = await gatePack(pack, await openBaselines(desk, inputs), request)
      return publish(desk, inputs, { ...settled, context })
    }
    case 'comment':
      return commentOnPack(desk, inputs, context, () => openBaselines(desk, inputs))
    case 'promote':
      return accept(desk, inputs)
    case 'history':
      return keepHistory(desk, inputs)
    case 'sign-off':
      return signOffStep(desk, inputs)
    case 'lint':
      return lintManifest(desk, inputs, context)
  }
}

async function measure(desk: ActionDesk, inputs: ActionInputs, context: ReportContext): Promise<ReportInput> {
  await makeRoom(desk, inputs)
  requireApproved(desk.facts, inputs.approvedSha)
  const { manifest, manifestText } = await readManifest(desk, inputs)
  const acceptedLosses = await checkedOutLosses(desk, inputs, acceptedFacts(manifest, today()))
  await saveRun(desk, gateId(manifest))
  const store = await openBaselines(desk, inputs)
  return interruptible(async (signal) => {
    await using composed = await composeEffects(desk, {
      packFolder: inputs.pack,
      manifest,
      manifestPath: inputs.manifest,
      signal,
      lockWaitMinutes: inputs.lockWaitMinutes,
    })
    const { plan, caches, onMissingBaseline, onHostChange, budgetMinutes, subject: subjectText } = inputs
    const resume = false
    const request = {
      manifest,
      manifestText,
      subjectText,
      plan,
      caches,
      resume,
      onMissingBaseline,
      onHostChange,
      acceptedLosses,
      budgetMinutes,
      context,
    }
    return { ...(await run({ ...composed.effects, store }, request, signal)), context }
  })
}

/** A step that is run again in a workspace that was kept measures anew: whatever comes of it, an earlier attempt's pack is not its own. */
async function makeRoom(desk: ActionDesk, inputs: ActionInputs): Promise<void> {
  const aside = await setAsideEarlierPack(inputs.pack)
  if (aside === null) return
  const message = `${inputs.pack} held the pack of an earlier attempt: it is now ${aside}`
  desk.publisher(inputs).annotate([{ level: 'warning', title: 'Earlier pack set aside', message }])
}

/** The manifest, its findings as annotations on its lines, its secrets masked. */
async function readManifest(
  desk: ActionDesk,
  inputs: ActionInputs,
): Promise<{ manifest: Manifest; manifestText: string }> {
  const { manifest: file } = inputs
  const subject = inputs.subject === null ? {} : { subject: inputs.subject }
  const text = await readInputText({ what: 'the manifest', path: file, maximumBytes: INPUT_LIMITS.manifest })
  desk.publisher(inputs).annotate(findingAnnotations(lint(file, text, 'deployable', inputs.subject ?? undefined)))
  const manifest = requireManifest({ file, text, level: 'deployable', ...subject })
  const deploy = manifest.engine.deploy
  const token = manifest.client.connection.bearer_token_env
  const secrets = deploy !== undefined && 'secrets' in deploy ? deploy.secrets : []
  for (const name of token === undefined ? secrets : [...secrets, token]) {
    const value = desk.env[name]
    if (value) desk.setSecret(value)
  }
  return { manifest, manifestText: text }
}

async function accept(desk: ActionDesk, inputs: ActionInputs): Promise<number> {
  const pack = await openPack(inputs.pack)
  const [record, verdict] = [await packRecord(pack), await packVerdict(pack)]
  const store = await openBaselines(desk, inputs)
  const promoted = await promote(store, {
    file: `${inputs.pack}/capacity.json`,
    record,
    anchor: inputs.promoteAnchor,
    newExperiment: inputs.newExperiment,
    acceptance: await workflowAcceptance(desk, inputs),
    verdict,
  })
  setOutputs(desk, packOutputs(inputs.pack))
  desk.screen.write(`accepted as baseline: ${promoted.path}\n`)
  const warned = promoted.warnings.map(({ text }) => ({ level: 'warning' as const, title: 'Baseline', message: text }))
  desk.publisher(inputs).annotate(warned)
  const what = `Accepted as the baseline of ${markdownCode(promoted.gateId)}: ${markdownCode(promoted.path)}`
  await summarise(desk, desk.publisher(inputs), `${what}\n${changesText(promoted)}`)
  return EXIT.ok
}

/** What of the experiment the new baseline has otherwise, for the summary. */
function changesText({ experimentChanges: changes }: Promoted): string {
  const shown = changes.slice(0, CHANGES_SHOWN).map((change) => `- ${markdownText(changeText(change), 500)}`)
  const rest = changes.length > CHANGES_SHOWN ? [`- and ${changes.length - CHANGES_SHOWN} more`] : []
  return changes.length === 0 ? '' : `\nA new experiment:\n\n${[...shown, ...rest].join('\n')}\n`
}

const CHANGES_SHOWN = 50

function openBaselines(desk: ActionDesk, inputs: ActionInputs): Promise<BaselineStore> {
  return openStore(inputs.baseline, workflowRepository(desk, inputs))
}

async function fail(desk: ActionDesk, inputs: ActionInputs | null, error: unknown): Promise<number> {
  const failure = failureOf(error)
  const isInterrupted = failure.code === 'interrupted'
  saveEnd(desk, isInterrupted ? 'interrupted' : 'ended')
  setOutputs(desk, failureOutputs(failure, inputs?.pack ?? ''))
  desk.screen.write(failureText(failure, desk.isDebug))
  const publisher = desk.publisher(inputs)
  publisher.annotate([{ level: 'error', title: 'Capacity Gate', message: `${failure.what}\n${failure.hint}` }])
  const text = `## ❌ Capacity Gate: no verdict\n\n${markdownText(failure.what, 2000)}\n\nTo mend it: ${markdownText(failure.hint, 2000)}\n`
  // The post step tells of a run that was cancelled, and has more time for it.
  if (!isInterrupted) await summarise(desk, publisher, text)
  return failure.exitCode
}
