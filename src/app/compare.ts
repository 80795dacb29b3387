import type { CapacityRecord } from '../core/capacity/record.ts'
import { gate } from '../core/gate/gate.ts'
import type { OnHostChange } from '../core/gate/host-proof.ts'
import { parseCapacityRecord } from '../core/gate/read.ts'
import type { Verdict } from '../core/gate/verdict.ts'
import type { AcceptedLossesText } from './accepted-losses.ts'
import { recordAcceptedFacts, requireAcceptedLosses } from './accepted-losses.ts'

/** A capacity.json as text, with its name for messages. */
export interface RecordText {
  file: string
  text: string
}

export interface CompareRequest {
  candidate: RecordText
  baseline: RecordText | null
  anchor: RecordText | null
  onMissingBaseline: 'fail' | 'record'
  /** Null: no loss was accepted. */
  acceptedLosses: (AcceptedLossesText & { asOf: string }) | null
  onHostChange: OnHostChange
}

export interface Compared {
  verdict: Verdict
  candidate: CapacityRecord
  baseline: CapacityRecord | null
  anchor: CapacityRecord | null
}

/** Compares stored records, offline. Throws GateError (exit 4) for a file that is corrupt or of a newer schema, or accepted losses that are not good. */
export function compare(request: CompareRequest): Compared {
  const read = (source: RecordText | null) => source && parseCapacityRecord(source.text, source.file)
  const candidate = parseCapacityRecord(request.candidate.text, request.candidate.file)
  const baseline = read(request.baseline)
  const anchor = read(request.anchor)
  const { onMissingBaseline, onHostChange, acceptedLosses: text } = request
  const acceptedLosses =
    text === null ? [] : requireAcceptedLosses(text, recordAcceptedFacts(candidate, text.asOf)).losses
  const verdict = gate({ candidate, baseline, anchor, onMissingBaseline, onHostChange, acceptedLosses })
  return { verdict, candidate, baseline, anchor }
}
