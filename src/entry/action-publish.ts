import { INPUT_LIMITS, readInputText } from '../adapters/system/files.ts'
import { manifestLines } from '../app/manifest-lines.ts'
import type { ManifestLines } from '../app/manifest-lines.ts'
import type { Publisher } from '../app/ports/publisher.ts'
import { exitCodeOf } from '../core/gate/exit.ts'
import { annotations } from '../core/report/annotations.ts'
import { commentText, renderSummary } from '../core/report/comment.ts'
import type { CommentText } from '../core/report/comment.ts'
import type { ReportInput } from '../core/report/context.ts'
import { markdownText } from '../core/report/escape.ts'
import { renderText } from '../core/report/text.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import type { ActionOutputs } from './action-outputs.ts'
import { verdictOutputs } from './action-outputs.ts'

/**
 * Shows a report: outputs first, so that later steps have them whatever happens, then log, summary, annotations and comment. What
 * cannot be shown is said and changes nothing. Returns the verdict's exit code.
 */
export async function publish(desk: ActionDesk, inputs: ActionInputs, report: ReportInput): Promise<number> {
  const outputs = verdictOutputs(report, inputs.pack)
  setOutputs(desk, outputs)
  desk.screen.write(`${renderText(report)}\n`)
  await summarise(desk, desk.publisher(inputs), renderSummary(report))
  const { places, classes } = await linesOf(inputs)
  desk.publisher(inputs).annotate(annotations(report.verdict, places, classes))
  const url = await postComment(desk, inputs, commentText(report))
  if (url !== null) setOutputs(desk, { ...outputs, 'comment-url': url })
  return exitCodeOf(report.verdict, inputs.onInconclusive)
}

/** Only a job that measures or compares has the manifest checked out that its pack is of. */
async function linesOf({ command, manifest: path }: ActionInputs): Promise<ManifestLines> {
  if (command !== 'run' && command !== 'gate') return manifestLines(path, '')
  const text = await readInputText({ what: 'the manifest', path, maximumBytes: INPUT_LIMITS.manifest }).catch(() => '')
  return manifestLines(path, text)
}

/** The comment's address; null where none is wanted, or where none could be written, which log and summary then say. */
export async function postComment(desk: ActionDesk, inputs: ActionInputs, text: CommentText): Promise<string | null> {
  if (inputs.comment === 'never') return null
  const publisher = desk.publisher(inputs)
  const posted = await publisher.comment(text)
  if ('url' in posted) return posted.url
  desk.screen.write(`no comment was written: ${posted.skipped}\n`)
  await summarise(desk, publisher, `\n_No comment was written: ${markdownText(posted.skipped, 500)}._\n`)
  return null
}

/** Outputs that cannot be written are said; the exit code is still the verdict's. */
export function setOutputs(desk: ActionDesk, outputs: ActionOutputs): void {
  try {
    desk.setOutputs(outputs)
  } catch (error) {
    desk.screen.write(`the outputs could not be set: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}

/** A summary that cannot be written (no such file, a full disk) is no reason to fail. */
export async function summarise(desk: ActionDesk, publisher: Publisher, markdown: string): Promise<void> {
  try {
    await publisher.summary(markdown)
  } catch (error) {
    desk.screen.write(`the summary could not be written: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}
