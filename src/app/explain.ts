import { parseCapacityRecord } from '../core/gate/read.ts'
import { changesOf } from '../core/report/explain/changes.ts'
import type { ExplainedState } from '../core/report/explain/text.ts'
import { comparedSides, explain } from '../core/report/explain/explain.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { RecordText } from './compare.ts'
import { compare } from './compare.ts'
import { readPackText } from './point/files.ts'
import type { Pack } from './ports/pack.ts'

export interface ExplainRequest {
  pack: Pack
  /** Null: the one that the pack was compared with. */
  baseline: RecordText | null
}

export interface Explained {
  states: ExplainedState[]
}

/**
 * Why a pack's points are worse than its baseline's, from the two records alone. Which points are compared is the gate's rule; a difference of
 * machines is no obstacle. Throws GateError: `pack_incomplete` without a record, `explain_no_baseline` without one to compare with.
 */
export async function explainPack({ pack, baseline }: ExplainRequest): Promise<Explained> {
  const candidate = { file: 'capacity.json', text: await readPackText(pack, 'capacity.json') }
  const other = baseline ?? (await ownBaseline(pack))
  const compared = compare({
    candidate,
    baseline: other,
    anchor: null,
    onMissingBaseline: 'fail',
    acceptedLosses: null,
    onHostChange: 'accept',
  })
  const record = parseCapacityRecord(candidate.text)
  const { reasons, states } = compared.verdict
  return {
    states: states.map((state) => {
      const sides = comparedSides(state, record, compared.baseline)
      const why = [...reasons, ...state.reasons, ...state.notes].map(({ text }) => text)
      if (sides === null) return { cache: state.cache, explanation: null, changes: null, why }
      return { cache: state.cache, explanation: explain(sides), changes: changesOf(sides), why: [] }
    }),
  }
}

async function ownBaseline(pack: Pack): Promise<RecordText> {
  if ((await pack.read('baseline.json')) === null) {
    throw new GateError({
      code: 'explain_no_baseline',
      message: 'the pack was compared with no baseline',
      hint: 'name one: --baseline PACK, or a capacity.json',
      exitCode: EXIT.invalid,
    })
  }
  return { file: 'baseline.json', text: await readPackText(pack, 'baseline.json') }
}
