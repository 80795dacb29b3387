import type { JsonValue } from '../kernel/canonical.ts'
import type { SloReport } from './report.ts'

/**
 * slo-report.json: keys sorted, two spaces, one LF at the end, as the reference prints it. Numbers are written as JavaScript writes
 * them: where the reference has `1.0` and `1e-05`, this has `1` and `0.00001`. They are the same numbers.
 */
export function sloReportJson(report: SloReport): string {
  return `${write(report as unknown as JsonValue, '')}\n`
}

/** By hand, since an object cannot hold keys like `10` and `9` in the order of their text. */
function write(value: JsonValue, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const lines = isList
    ? value.map((item: JsonValue) => inner + write(item, inner))
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => `${inner}${JSON.stringify(key)}: ${write(item as JsonValue, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
