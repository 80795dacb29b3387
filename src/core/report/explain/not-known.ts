import type { EngineWork } from '../../telemetry/engine-work.ts'
import type { Side } from './cause.ts'

/** What causes are found by that are no facts of their own beside the capacity. */
const LOOKS: readonly (readonly [title: string, of: (work: EngineWork) => unknown])[] = [
  ['what a step costs', ({ cost }) => cost],
  ['standstills', ({ standstill }) => standstill],
  ['the reading of requests', ({ intakeMs }) => intakeMs],
]

/** What one of two points does not tell of how its engine worked: a cause that would show only there is not seen. */
export function notKnown({ point: { work: before } }: Side, { point: { work: now } }: Side): string[] {
  if (before === undefined || now === undefined) return ['how the engine worked']
  return LOOKS.filter(([, of]) => of(before) === null || of(now) === null).map(([title]) => title)
}
