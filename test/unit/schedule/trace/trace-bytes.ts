import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GateError } from '../../../../src/core/kernel/errors.ts'
import { TraceReader } from '../../../../src/core/schedule/trace/trace-reader.ts'
import type { TraceFormat, TraceRow } from '../../../../src/core/schedule/trace/trace-row.ts'

const FOLDER = join(import.meta.dirname, '../../../../fixtures/traces')

export const SAMPLES = {
  'mooncake.jsonl': 'mooncake',
  'azure-2023.csv': 'azure',
  'azure-2024.csv': 'azure',
  'burstgpt-1.csv': 'burstgpt',
  'burstgpt-3.csv': 'burstgpt',
  'own.jsonl': 'jsonl',
} as const

export function sample(name: keyof typeof SAMPLES): Uint8Array {
  return readFileSync(join(FOLDER, name))
}

export const bytes = (text: string) => new TextEncoder().encode(text)

/** All rows of a trace that comes in the given pieces. */
export function rowsOf(pieces: Iterable<Uint8Array>, format: TraceFormat | null = null): TraceRow[] {
  const reader = new TraceReader({ file: 'trace', format })
  return [...[...pieces].flatMap((piece) => reader.push(piece)), ...reader.end()]
}

/** What a trace is refused with. */
export function refusalOf(text: string | Uint8Array, format: TraceFormat | null = null): GateError {
  try {
    rowsOf([typeof text === 'string' ? bytes(text) : text], format)
  } catch (error) {
    if (error instanceof GateError) return error
    throw error
  }
  throw new Error('it was read')
}
