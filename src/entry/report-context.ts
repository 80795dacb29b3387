import type { ReportContext } from '../core/report/context.ts'
import type { ActionInputs } from './action-inputs.ts'
import type { EventFacts } from './event-facts.ts'
import { TOOL_VERSION } from './version.ts'

/** The links that a report shows in a workflow. */
export function reportContext(facts: EventFacts, inputs: ActionInputs): ReportContext {
  return {
    toolVersion: TOOL_VERSION,
    repository: `${facts.owner}/${facts.repo}`,
    runUrl: facts.runUrl,
    packPath: inputs.pack,
    baselineRef: inputs.baseline,
    ...(inputs.subject === null ? {} : { hasSubjectFile: true as const }),
    ...(facts.headSha === null ? {} : { headSha: facts.headSha }),
    ...(facts.baseSha === null ? {} : { baseSha: facts.baseSha }),
    ...(inputs.commentKey === '' ? {} : { commentKey: inputs.commentKey }),
    ...(inputs.series === '' ? {} : { series: inputs.series }),
  }
}
