import type { Evidence, Reason } from '../kernel/evidence.ts'
import type { GateReasonCode } from './reason-table.ts'

/** A reason of the gate's own. */
export function reason(code: GateReasonCode, text: string): Reason {
  return { code, text }
}

/** Milli-requests a second as requests a second, exact, with one to three decimals: 24000 → `24.0`, 23040 → `23.04`. */
export function asRps(milliRps: number): string {
  const [whole = '0', decimals = ''] = (milliRps / 1000).toFixed(3).split('.')
  return `${whole}.${decimals.replace(/0{1,2}$/, '')}`
}

/** A share as a percentage with one decimal: 0.0312 → `3.1 %`. */
export function asPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** An evidence in a line: probe, what was seen, value, unit and limit. */
export function evidenceText({ probe, state, text, value, unit, limit }: Evidence): string {
  const number = value === undefined ? '' : `${Number(value.toPrecision(4))}${unit === undefined ? '' : ` ${unit}`}`
  const bound = limit === undefined ? '' : `, limit ${Number(limit.toPrecision(4))}`
  return `${probe}: ${text ?? state}${number === '' ? '' : ` (${number}${bound})`}`
}
