import type { Evidence } from '../../core/kernel/evidence.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import { isOwnDoing } from '../../core/stream/error-codes.ts'
import type { Effects } from '../context.ts'
import type { Deployment, Replica } from '../ports/engine.ts'
import type { RequestShape, SingleAnswer } from '../ports/replay.ts'
import type { SingleRequest } from './single-request.ts'
import { asProbe, isRefused, singleRequest, TRIES } from './single-request.ts'

/** Statuses of a token that is missing or wrong. */
const NOT_ALLOWED = new Set([401, 403, 407])

type Finding = Pick<Evidence, 'state' | 'blames' | 'text'>

/**
 * The schedule's longest request to each replica before any load: proves that the parser reads the stream, that tokens are counted by
 * the engine, and that the engine takes the longest prompt, so that one it refuses is told once and not by every request of the cohort.
 *
 * @returns `tokens.smoke` for each replica: pass; fail blaming the host where the engine tells neither usage nor token ids
 * (insufficient evidence: the point is invalid); fail blaming the client where the prompt is longer than the model's window, a dataset's
 * text of another length than declared, we are not let in, or our own means failed us; else fail blaming the engine.
 */
export async function smoke(
  effects: Effects,
  deployment: Deployment,
  shape: RequestShape,
  longest: SingleRequest,
  signal: AbortSignal,
): Promise<Evidence[]> {
  const findings = deployment.replicas.map(async (target): Promise<Evidence> => {
    const answer = await singleRequest(effects, shape, target, (number) => asProbe(longest, 's', number), signal)
    return { probe: 'tokens.smoke', required: true, ...findingOf(shape, target, longest.row, answer) }
  })
  return Promise.all(findings)
}

function findingOf(shape: RequestShape, { index }: Replica, longest: ScheduleRow, answer: SingleAnswer): Finding {
  const text = (what: string): string => `replica ${index} ${what}`
  if (answer.status === 'ok') {
    const wrong = wrongLength(shape, longest, answer)
    if (wrong !== null) return { state: 'fail', blames: 'client', text: wrong }
    return {
      state: 'pass',
      blames: 'engine',
      text: text(`answered ${answer.outputTokens} tokens in ${answer.chunks} chunks`),
    }
  }
  if (answer.errorCode === 'usage_missing') {
    return {
      state: 'fail',
      blames: 'host',
      text: `insufficient evidence: ${text('tells neither usage nor token ids')}`,
    }
  }
  if (isRefused(answer)) {
    const said = answer.refusal === undefined ? '' : `: ${answer.refusal}`
    const what = `refused the longest request, ${description(longest)}, with HTTP ${answer.httpStatus}${said}`
    const isOurs = NOT_ALLOWED.has(answer.httpStatus ?? 0) || !isWithinWindow(shape, longest)
    return { state: 'fail', blames: isOurs ? 'client' : 'engine', text: text(what) }
  }
  const what = `failed ${TRIES} single requests before any load: ${answer.errorCode ?? answer.status}`
  return { state: 'fail', blames: isOwnDoing(answer.errorCode) ? 'client' : 'engine', text: text(what) }
}

function description({ id, class: name, inputTokens, outputTokens, text }: ScheduleRow): string {
  const made = text === undefined ? '' : `, text ${text} of the dataset`
  return `${id} (class ${name}, ${inputTokens} tokens in, ${outputTokens} out${made})`
}

/** Whether the engine must take the request: its tokens are known, and so is the window that they fit into. */
function isWithinWindow({ manifest }: RequestShape, { inputTokens, outputTokens }: ScheduleRow): boolean {
  const { client, model } = manifest
  const areKnown = client.prompt === 'token_ids' && client.endpoint === 'completions' && client.dataset === undefined
  return areKnown && model.max_model_len !== undefined && inputTokens + outputTokens <= model.max_model_len
}

/** A dataset's text of another length than its class's would make the whole point invalid: that is told before it is measured. */
function wrongLength({ manifest }: RequestShape, longest: ScheduleRow, { inputTokens }: SingleAnswer): string | null {
  const tolerance = manifest.client.dataset?.length_tolerance
  if (tolerance === undefined || inputTokens === null) return null
  if (Math.abs(inputTokens - longest.inputTokens) <= tolerance * longest.inputTokens) return null
  return `the engine counted ${inputTokens} tokens in the longest prompt, ${description(longest)}: more than ${100 * tolerance} % off`
}
