import { INPUT_LIMITS, readInputText } from '../adapters/system/files.ts'
import { requireAcceptedLosses } from '../app/accepted-losses.ts'
import type { AcceptedLosses } from '../core/gate/accepted/loss.ts'
import { readAcceptedLosses } from '../core/gate/accepted/read.ts'
import type { AcceptedFacts } from '../core/gate/accepted/rules.ts'
import { GateError } from '../core/kernel/errors.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { findingAnnotations } from './finding-annotations.ts'

/**
 * The losses that the checked-out commit accepts; null where it has no such file. Every finding is annotated on its line: an expired one
 * warns, and is ignored. Throws GateError `accepted_invalid` (exit 4) for a file that is not good.
 */
export async function checkedOutLosses(
  desk: ActionDesk,
  inputs: ActionInputs,
  facts: AcceptedFacts,
): Promise<AcceptedLosses | null> {
  const { accepted: file } = inputs
  const text = await textOf(file)
  if (text === null) return null
  const { findings } = readAcceptedLosses(text, facts)
  desk.publisher(inputs).annotate(findingAnnotations({ file, findings }))
  return requireAcceptedLosses({ file, text }, facts)
}

async function textOf(path: string): Promise<string | null> {
  if (path === '') return null
  try {
    return await readInputText({ what: 'the accepted losses', path, maximumBytes: INPUT_LIMITS.manifest })
  } catch (error) {
    if (error instanceof GateError && error.code === 'file_not_found') return null
    throw error
  }
}
