import { openPack } from '../adapters/system/pack.ts'
import type { Screen } from '../adapters/terminal/screen.ts'
import { isFinished, runProgress } from '../app/cancelled.ts'
import { readPackReport } from '../app/read-pack.ts'
import { cancelledComment, renderCancelled } from '../core/report/cancelled.ts'
import type { CommentText } from '../core/report/comment.ts'
import { commentText, renderSummary } from '../core/report/comment.ts'
import { plainText } from '../core/report/escape.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { readActionInputs } from './action-inputs.ts'
import { postComment, summarise } from './action-publish.ts'
import { reportContext } from './report-context.ts'
import type { StepRun, StepState } from './step-state.ts'

/** What the post step is given and may do. */
export interface PostDesk {
  state: StepState
  screen: Screen
  /** Ends and removes what the step before left on this machine; says what. Null: that step did not come to measuring. */
  cleanUp(run: StepRun | null): AsyncIterable<string>
  /** What is asked only where there is something to tell: without a runner there is none. */
  action(): ActionDesk
}

/**
 * The whole post step: what the step before left is removed, and where it was ended before it could say how, the comment says that
 * nothing is judged. The job's conclusion is the gate's: whatever goes wrong here is said and fails nothing.
 */
export async function runPost(desk: PostDesk): Promise<void> {
  await said(desk, 'the clean-up', async () => {
    for await (const line of desk.cleanUp(desk.state.run)) desk.screen.write(`${line}\n`)
  })
  const { run, end } = desk.state
  if (run === null || end === 'ended') return
  await said(desk, 'the comment', () => tell(desk.action(), run, end ?? 'gone'))
}

async function said(desk: PostDesk, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    desk.screen.write(`${what} did not finish: ${plainText(message, 500)}\n`)
  }
}

/** A verdict that was found and perhaps not shown is shown; else that there is none. */
async function tell(desk: ActionDesk, run: StepRun, how: 'interrupted' | 'gone'): Promise<void> {
  const inputs = readActionInputs(desk.input)
  if (inputs.token !== '') desk.setSecret(inputs.token)
  const context = reportContext(desk.facts, inputs)
  const pack = await openPack(inputs.pack).catch(() => null)
  if (pack !== null && (await isFinished(pack))) {
    const report = await readPackReport(pack, context)
    return show(desk, inputs, renderSummary(report), commentText(report))
  }
  const progress = pack === null ? { judgedPoints: 0, plannedPoints: null, point: null } : await runProgress(pack)
  const { gateId, startedAt } = run
  const cancelled = { gateId, startedAt, how, ...progress, context }
  await show(desk, inputs, renderCancelled(cancelled), cancelledComment(cancelled))
}

async function show(desk: ActionDesk, inputs: ActionInputs, summary: string, text: CommentText): Promise<void> {
  await summarise(desk, desk.publisher(inputs), summary)
  await postComment(desk, inputs, text)
}
