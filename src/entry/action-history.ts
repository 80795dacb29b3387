import { openHistory } from '../adapters/store/open-history.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { writeOutput } from '../adapters/system/files.ts'
import { findPacks } from '../adapters/system/find-packs.ts'
import { addToHistory, dayBefore, pointsOfRun, readTrends } from '../app/history.ts'
import type { Annotation } from '../app/ports/publisher.ts'
import { settleDrifts } from '../app/settle-drifts.ts'
import type { SettledDrifts } from '../app/settle-drifts.ts'
import type { HistoryPoint } from '../core/history/point.ts'
import type { Trend } from '../core/history/trend.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { HistorySummary } from '../core/report/drift-summary.ts'
import { driftLine, fallsOf, renderHistoryLog, renderHistorySummary } from '../core/report/drift-summary.ts'
import { faultsText } from '../core/report/history-faults.ts'
import { renderTrendPage } from '../core/report/trend/page.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { historyOutputs } from './action-outputs.ts'
import { setOutputs, summarise } from './action-publish.ts'
import type { EventFacts } from './event-facts.ts'
import { drawPage } from './history-page.ts'
import { readHistoryRun } from './history-run.ts'
import { workflowRepository } from './repository-access.ts'
import { TOOL_VERSION } from './version.ts'

/**
 * A night's work: adds the packs' runs to the history, draws the trend page, and has the drifts told as issues. Returns the exit code: a drift is
 * no failure of this step unless `on-drift` says so, and an issue that cannot be written never is one.
 */
export async function keepHistory(desk: ActionDesk, inputs: ActionInputs): Promise<number> {
  requireNoProposal(desk.facts)
  const now = systemClock().wallTime()
  const { points, unfit } = await readPoints(inputs, now)
  const store = await openHistory(inputs.history, workflowRepository(desk, inputs), { drawPage })
  const keepFrom = dayBefore(now, inputs.historyKeepDays)
  const { added, known, location, faults: found } = await addToHistory(store, points, keepFrom)
  const { trends, faults } = await readTrends(store)
  await writeOutput(inputs.trendPage, renderTrendPage({ trends, faults, toolVersion: TOOL_VERSION }))
  const again = async () => (await readTrends(store)).trends
  const { drifts, refused } = await tellDrifts(desk, inputs, trends, again)
  const passedOver = [...unfit, ...(found.length === 0 ? [] : [`${faultsText(found)} of the history`])]
  const falls = fallsOf(drifts)
  setOutputs(desk, historyOutputs(falls, inputs.trendPage, inputs.pack))
  await show(desk, inputs, { added: added.length, known, location, passedOver, drifts, refused })
  return falls.length > 0 && inputs.onDrift === 'fail' ? EXIT.regressed : EXIT.ok
}

/** A pull request's run is no night of what is in use: in the trend it would look like a fall of that. */
function requireNoProposal({ name, isPullHead, pullRequest, queuedPullRequest, isFork }: EventFacts): void {
  if (!isFork && !isPullHead && pullRequest === null && queuedPullRequest === null) return
  throw new GateError({
    code: 'history_of_proposal',
    message: `nothing is added to a history here: this job runs for a proposed change (${name})`,
    hint: 'keep the history in a job on the default branch: schedule, push or workflow_dispatch',
    exitCode: EXIT.usage,
  })
}

/** The points of every pack. One that is unfit beside others is told; where nothing is fit, that is the failure. */
async function readPoints(inputs: ActionInputs, now: string): Promise<{ points: HistoryPoint[]; unfit: string[] }> {
  const points: HistoryPoint[] = []
  const failures: { path: string; error: GateError }[] = []
  const packs = await findPacks(inputs.pack)
  for (const path of packs) {
    try {
      const run = await readHistoryRun(path)
      points.push(...pointsOfRun({ ...run, series: inputs.series === '' ? run.series : inputs.series }, now))
    } catch (error) {
      if (!(error instanceof GateError)) throw error
      failures.push({ path, error })
    }
  }
  const [first] = failures
  if (first !== undefined && failures.length === packs.length) throw first.error
  return { points, unfit: failures.map(({ path, error }) => `${path}: ${error.message}`) }
}

async function tellDrifts(
  desk: ActionDesk,
  inputs: ActionInputs,
  trends: readonly Trend[],
  again: () => Promise<readonly Trend[]>,
): Promise<SettledDrifts> {
  if (inputs.driftIssues === 'never') {
    return { drifts: trends.map((trend) => ({ trend, action: 'none', issue: null })), refused: null }
  }
  await using tracker = desk.issueTracker(inputs)
  return await settleDrifts(tracker, trends, again)
}

async function show(desk: ActionDesk, inputs: ActionInputs, summary: HistorySummary): Promise<void> {
  const publisher = desk.publisher(inputs)
  desk.screen.write(`${renderHistoryLog(summary)}\n`)
  const warning = (title: string, message: string): Annotation => ({ level: 'warning', title, message })
  publisher.annotate([
    ...summary.passedOver.map((text) => warning('Passed over', text)),
    ...summary.drifts.flatMap(({ trend }) =>
      trend.drift.state === 'drifting' ? [warning('Capacity drift', driftLine(trend))] : [],
    ),
    ...(summary.refused === null ? [] : [warning('Drift issues', summary.refused)]),
  ])
  await summarise(desk, publisher, renderHistorySummary(summary))
}
