import type { WorkloadClass } from '../../manifest/schema.ts'
import { quoted, refusal } from '../refusal.ts'
import type { ImportedRequest } from './imported-request.ts'

/** How a request gets its class, which no other tool knows: one for all, or by its lengths. */
export type ClassChoice =
  | { name: string }
  /** How far the input length may lie from a class's, as a share: tools count chat templates and special tokens in. */
  | { lengthTolerance: number }

type Lengths = Pick<WorkloadClass, 'name' | 'input_tokens' | 'output_tokens'>

/**
 * The class of each request. By lengths: the class whose input length it has, within the tolerance; among several the one whose output
 * length it has exactly. Throws GateError `import_class`, naming the request, where none or several remain, and for a class that the
 * workload does not have.
 */
export function classChooser(
  choice: ClassChoice,
  workload: readonly Lengths[],
  file: string,
): (request: ImportedRequest) => Lengths {
  if ('name' in choice) {
    const named = workload.find((each) => each.name === choice.name)
    if (named !== undefined) return () => named
    const names = workload.map((each) => each.name).join(', ')
    const what = `${quoted(choice.name)} is no class of the workload, which has ${names}`
    throw refusal(file, { code: 'import_class', what, hint: 'name one of them, or use --class-by lengths' })
  }
  return (request) => byLengths(request, choice.lengthTolerance, workload, file)
}

function byLengths(request: ImportedRequest, tolerance: number, workload: readonly Lengths[], file: string): Lengths {
  const { inputTokens: input, outputTokens: output } = request
  // In whole millionths: 0.29 × 100 is below 29 in floating point.
  const millionths = Math.round(tolerance * 1e6)
  const fits = (each: Lengths) =>
    input === null || Math.abs(input - each.input_tokens) * 1e6 <= millionths * each.input_tokens
  const byInput = workload.filter(fits)
  const byBoth = byInput.filter((each) => each.output_tokens === output)
  const found = byBoth.length > 0 ? byBoth : byInput
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const lengths = `${input ?? 'unknown'} input and ${output ?? 'unknown'} output tokens`
  const what =
    found.length === 0
      ? `${request.place} has ${lengths}, which no class of the workload has`
      : `${request.place} has ${lengths}, which may be ${found.map((each) => each.name).join(' or ')}`
  const hint =
    found.length === 0
      ? 'widen --length-tolerance, or name one class for all: --class NAME'
      : 'name one class for all: --class NAME'
  throw refusal(file, { code: 'import_class', what, hint })
}
