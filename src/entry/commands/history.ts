import { Option } from 'commander'
import type { Command } from 'commander'
import { openHistory } from '../../adapters/store/open-history.ts'
import { INPUT_LIMITS, readInputText, writeOutput } from '../../adapters/system/files.ts'
import { systemClock } from '../../adapters/system/clock.ts'
import { addToHistory, compactBefore, dayBefore, pointsOfRun, readTrends } from '../../app/history.ts'
import type { Added, CompactedHistory } from '../../app/history.ts'
import type { HistoryStore } from '../../app/ports/history.ts'
import { parseOpenDrifts, planDrifts } from '../../core/history/drift-plan.ts'
import type { LineFault } from '../../core/history/lines.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { capacityText } from '../../core/report/drift-issue.ts'
import { driftPlanJson, driftPlanText } from '../../core/report/drift-plan-text.ts'
import { plainText } from '../../core/report/escape.ts'
import { faultsText } from '../../core/report/history-faults.ts'
import { plural } from '../../core/report/numbers.ts'
import { renderTrendPage } from '../../core/report/trend/page.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example, wholeNumberOrZero } from '../command.ts'
import { drawPage } from '../history-page.ts'
import { readHistoryRun } from '../history-run.ts'
import { refuseReplacing } from '../refuse-replacing.ts'
import { clonedRepository } from '../repository-access.ts'
import { TOOL_VERSION } from '../version.ts'

export const addHistory: AddCommand = (program, desk) => {
  const history = program
    .command('history')
    .description('Keep the capacity of every night: add runs, draw their trend, find changes, plan an issue a drift.')
    .helpCommand(false)
    .addHelpText('after', example('capacity-gate history add inference-capacity-pack --to branch:capacity-history'))
  defineAdd(history, desk)
  defineCompact(history, desk)
  definePage(history, desk)
  defineDrift(history, desk)
}

const REF = 'where the history is kept: branch:NAME[:FOLDER] of the clone’s origin, or dir:PATH'

function historyAt(desk: Desk, ref: string): Promise<HistoryStore> {
  return openHistory(ref, clonedRepository(desk.inputs), { drawPage })
}

/** A history that is to be read, not begun: one that is not there is a place that was mistyped. Throws GateError `history_missing`, exit 64. */
async function standingHistory(desk: Desk, ref: string): Promise<HistoryStore> {
  const store = await historyAt(desk, ref)
  if ((await store.read()) !== '') return store
  throw new GateError({
    code: 'history_missing',
    message: `there is no history at ${store.location}`,
    hint: 'check the place; `history add` begins one',
    exitCode: EXIT.usage,
  })
}

interface AddOptions {
  to: string
  series?: string
  runUrl?: string
}

function defineAdd(history: Command, desk: Desk): void {
  history
    .command('add')
    .description('Add a run to a history, a point a cache state; a run that is in it already is left out.')
    .argument('<run>', 'the folder that a run wrote, or its capacity.json')
    .requiredOption('--to <ref>', `${REF}; made where it is missing`)
    .option(
      '--series <name>',
      'whose trend it belongs to: one for each cell of a matrix (default: as the pack has it, or the gate’s id)',
    )
    .option('--run-url <url>', 'the workflow run’s page (default: as the pack has it)')
    .addHelpText('after', example('capacity-gate history add inference-capacity-pack --to branch:capacity-history'))
    .action(async (path: string, { to, series, runUrl }: AddOptions) => {
      const run = await readHistoryRun(path)
      const facts = { series: series ?? run.series, runUrl: runUrl ?? run.runUrl }
      const points = pointsOfRun({ ...run, ...facts }, systemClock().wallTime())
      const added = await addToHistory(await historyAt(desk, to), points)
      noteFaults(desk, added.faults)
      desk.finish({ exitCode: EXIT.ok, text: addedText(added), json: added })
    })
}

function addedText({ location, added, known }: Added): string {
  const lines = added.map((point) => {
    const what = `${plainText(point.series, 80)}, ${point.cache}: ${capacityText(point)} RPS, ${point.outcome}`
    return `added to ${location}: ${what}`
  })
  if (known > 0) lines.push(`${plural(known, 'point')} of this run in ${location} already`)
  return lines.length === 0 ? `the record holds no cache state: nothing was added to ${location}` : lines.join('\n')
}

function defineCompact(history: Command, desk: Desk): void {
  history
    .command('compact')
    .description('Put the runs of each day that is older together: its median, with how many it stands for.')
    .argument('<ref>', REF)
    .requiredOption('--older-than <days>', 'days that keep every run', wholeNumberOrZero)
    .addHelpText('after', example('capacity-gate history compact branch:capacity-history --older-than 90'))
    .action(async (ref: string, { olderThan }: { olderThan: number }) => {
      const keepFrom = dayBefore(systemClock().wallTime(), olderThan)
      const compacted = await compactBefore(await standingHistory(desk, ref), keepFrom)
      desk.finish({ exitCode: EXIT.ok, text: compactedText(compacted), json: compacted })
    })
}

function compactedText({ location, keptFrom, before, after, dropped }: CompactedHistory): string {
  const gone = dropped.length === 0 ? '' : `; ${faultsText(dropped)} dropped`
  return `${location}: ${plural(before, 'point')} → ${after}, every run kept from ${keptFrom} on${gone}`
}

function definePage(history: Command, desk: Desk): void {
  history
    .command('page')
    .description('Draw the trends with their changes as one HTML file that loads nothing and runs no script.')
    .argument('<ref>', REF)
    .requiredOption('--out <file>', 'the HTML file')
    .addHelpText('after', example('capacity-gate history page branch:capacity-history --out trend.html'))
    .action(async (ref: string, { out }: { out: string }) => {
      const store = await standingHistory(desk, ref)
      await refuseReplacing({ name: '--out', path: out }, [{ name: 'the history', path: store.location }])
      const { trends, faults } = await readTrends(store)
      noteFaults(desk, faults)
      await writeOutput(out, renderTrendPage({ trends, faults, toolVersion: TOOL_VERSION }))
      const points = trends.reduce((sum, trend) => sum + trend.points.length, 0)
      const json = { out, series: trends.length, points, faults }
      desk.finish({ exitCode: EXIT.ok, text: `${out}: ${plural(points, 'point')} in ${trends.length} series`, json })
    })
}

interface DriftOptions {
  format: 'text' | 'json'
  open?: string
  onDrift: 'fail' | 'warn'
}

function defineDrift(history: Command, desk: Desk): void {
  history
    .command('drift')
    .description('Say which falls stand, and which issue is to be opened, updated or closed; nothing is sent anywhere.')
    .argument('<ref>', REF)
    .addOption(
      new Option('--format <format>', 'text for people, or JSON with the issues’ Markdown')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--open <file>', 'the drift issues that are open: a JSON list of {key, facts}, as in their markers')
    .addOption(
      new Option('--on-drift <what>', 'how a fall that stands ends: exit code 2, or 0 with warn')
        .choices(['fail', 'warn'])
        .default('fail'),
    )
    .addHelpText('after', example('capacity-gate history drift branch:capacity-history --format json > drift.json'))
    .action(async (ref: string, { format, open, onDrift }: DriftOptions) => {
      const { trends, faults } = await readTrends(await standingHistory(desk, ref))
      noteFaults(desk, faults)
      const plan = planDrifts(trends, open === undefined ? [] : await readOpenDrifts(open))
      const json = driftPlanJson(plan)
      const isDrifting = trends.some(({ drift }) => drift.state === 'drifting')
      desk.finish({
        exitCode: isDrifting && onDrift === 'fail' ? EXIT.regressed : EXIT.ok,
        text: format === 'json' ? JSON.stringify(json, null, 2) : driftPlanText(plan),
        ...(format === 'json' ? { isDocument: true } : {}),
        json,
      })
    })
}

async function readOpenDrifts(path: string) {
  const text = await readInputText({
    what: 'the list of open issues',
    path,
    maximumBytes: INPUT_LIMITS.manifest,
  })
  return parseOpenDrifts(text, path)
}

function noteFaults(desk: Desk, faults: readonly LineFault[]): void {
  if (faults.length > 0) desk.note(`note: ${faultsText(faults)} passed over`)
}
