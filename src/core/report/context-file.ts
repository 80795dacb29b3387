import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { OnHostChange } from '../gate/host-proof.ts'
import type { ReportContext } from './context.ts'

/** How a verdict was asked for and where its reports are shown: what it takes to render them again. */
export interface ContextFile {
  onMissingBaseline: 'fail' | 'record'
  /** The day by which the pack's accepted losses were judged; left out where there are none. */
  acceptedAsOf?: string
  onHostChange: OnHostChange
  context: ReportContext
}

const text = z.string().max(2000)
const contextFileSchema = z.strictObject({
  onMissingBaseline: z.enum(['fail', 'record']),
  acceptedAsOf: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .exactOptional(),
  onHostChange: z.enum(['remeasure', 'accept', 'fail']).default('remeasure'),
  context: z.strictObject({
    headSha: text.exactOptional(),
    baseSha: text.exactOptional(),
    runUrl: text.exactOptional(),
    repository: text.exactOptional(),
    packPath: text.exactOptional(),
    hasSubjectFile: z.literal(true).exactOptional(),
    baselineRef: text.exactOptional(),
    toolVersion: text,
    commentKey: text.exactOptional(),
    series: text.exactOptional(),
    recheck: z
      .strictObject({
        isFork: z.boolean(),
        packOutcome: z.enum(['held', 'improved', 'regressed', 'inconclusive', 'invalid', 'recorded']).nullable(),
        unbuiltSchedules: z.int().min(0),
      })
      .exactOptional(),
  }),
}) satisfies z.ZodType<ContextFile>

/** Reads report-context.json back. Throws GateError `context_damaged` (exit 4). */
export function parseContextFile(content: string): ContextFile {
  try {
    return contextFileSchema.parse(JSON.parse(content))
  } catch (cause) {
    throw new GateError({
      code: 'context_damaged',
      message: 'report-context.json does not say how the verdict was asked for',
      hint: 'take the pack from its artifact again',
      exitCode: EXIT.invalid,
      cause,
    })
  }
}
