import { openStore } from '../adapters/store/open-store.ts'
import { INPUT_LIMITS, readInputText } from '../adapters/system/files.ts'
import { acceptedFacts, acceptedFloorsOf } from '../app/accepted-losses.ts'
import { estimateRun } from '../app/estimate.ts'
import { lint } from '../app/lint.ts'
import { requireManifest } from '../app/manifest.ts'
import { effectivePlan } from '../core/capacity/effective-plan.ts'
import { requireWithinBudget } from '../core/capacity/estimate.ts'
import type { PlanCost } from '../core/capacity/plan-costs.ts'
import type { Plan } from '../core/capacity/record.ts'
import { EXIT } from '../core/kernel/errors.ts'
import { gateId } from '../core/manifest/identity.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import type { ReportContext } from '../core/report/context.ts'
import { estimateComment, estimateMarkdown, estimateText } from '../core/report/estimate.ts'
import type { EstimateReport } from '../core/report/estimate.ts'
import { checkedOutLosses } from './action-accepted.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { estimateOutputs } from './action-outputs.ts'
import { postComment, setOutputs, summarise } from './action-publish.ts'
import { findingAnnotations } from './finding-annotations.ts'
import { today } from './read-inputs.ts'
import { workflowRepository } from './repository-access.ts'

/**
 * Checks the manifest as a run would, and tells what the run would take: annotations on its lines, summary and a comment of its own.
 * Throws, after that, GateError for what a run would refuse: a manifest that is not deployable, accepted losses that are not good, a plan over
 * its budget.
 */
export async function lintManifest(desk: ActionDesk, inputs: ActionInputs, context: ReportContext): Promise<number> {
  const { manifest: file, subject } = inputs
  const text = await readInputText({ what: 'the manifest', path: file, maximumBytes: INPUT_LIMITS.manifest })
  const result = lint(file, text, 'deployable', subject ?? undefined)
  desk.publisher(inputs).annotate(findingAnnotations(result))
  const told = { manifestPath: file, findings: result.findings, context }
  if (result.errors > 0) await show(desk, inputs, { ...told, found: null, plan: inputs.plan })
  const manifest = requireManifest({ file, text, level: 'deployable', ...(subject === null ? {} : { subject }) })
  const { plan, asked, estimate } = await estimated(desk, inputs, manifest)
  const gpuMinutes = estimateOutputs(asked?.gpuMinutes ?? null)
  setOutputs(desk, gpuMinutes)
  desk.screen.write(`${estimateText(estimate)}\n`)
  const url = await show(desk, inputs, { ...told, found: { gateId: gateId(manifest), estimate }, plan })
  if (url !== null) setOutputs(desk, { ...gpuMinutes, 'comment-url': url })
  if (asked !== undefined) requireWithinBudget(asked, inputs.budgetMinutes)
  return EXIT.ok
}

async function estimated(desk: ActionDesk, inputs: ActionInputs, manifest: Manifest) {
  const { caches, pricePerGpuHour, onMissingBaseline } = inputs
  const plans: Plan[] = inputs.plan === 'confirm' ? ['confirm', 'sweep'] : ['sweep', 'confirm']
  const losses = await checkedOutLosses(desk, inputs, acceptedFacts(manifest, today()))
  const acceptedFloors = acceptedFloorsOf(manifest, losses)
  const store = await openStore(inputs.baseline, workflowRepository(desk, inputs))
  const estimate = await estimateRun(store, { manifest, caches, plans, pricePerGpuHour, acceptedFloors })
  const { hasBaseline } = estimate
  const plan = effectivePlan({ plan: inputs.plan, onMissingBaseline, manifest, hasBaseline })
  const asked: PlanCost | undefined = estimate.plans.find((one) => one.plan === plan)
  return { plan, asked, estimate }
}

async function show(desk: ActionDesk, inputs: ActionInputs, report: EstimateReport): Promise<string | null> {
  await summarise(desk, desk.publisher(inputs), estimateMarkdown(report))
  return postComment(desk, inputs, estimateComment(report))
}
