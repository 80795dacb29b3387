import type { Verdict } from '../../src/core/gate/verdict.ts'
import type { CommandEnd } from './command-line.ts'

/** What differed from what had to come out, one line each. */
export type Differences = string[]

function readVerdict({ standardOutput }: CommandEnd): Verdict | null {
  // Standard output stays empty where the tool failed before there was a verdict.
  return standardOutput === '' ? null : (JSON.parse(standardOutput) as Verdict)
}

/** The verdict of both cache states and the exit code that belongs to it. */
export function outcomeDifferences(end: CommandEnd, outcome: Verdict['outcome'], exitCode: number): Differences {
  const verdict = readVerdict(end)
  const differences: Differences = []
  if (end.exitCode !== exitCode) differences.push(`the exit code is ${end.exitCode}, not ${exitCode}`)
  if (verdict === null) return [...differences, 'there is no verdict']
  for (const cache of ['cold', 'warm'] as const) {
    const found = verdict.states.find((state) => state.cache === cache)?.outcome ?? 'missing'
    if (found !== outcome) differences.push(`${cache} is ${found}, not ${outcome}`)
  }
  return differences
}

/** Both capacities lie inside the swept rates, and the warm one above the cold one. */
export function capacityDifferences(end: CommandEnd): Differences {
  const verdict = readVerdict(end)
  const [cold, warm] = (['cold', 'warm'] as const).map((cache) =>
    verdict?.states.find((state) => state.cache === cache),
  )
  const differences: Differences = []
  for (const [name, state] of [
    ['cold', cold],
    ['warm', warm],
  ] as const) {
    const isInside = typeof state?.candidateMilliRps === 'number' && typeof state.candidateFailMilliRps === 'number'
    if (!isInside) differences.push(`the ${name} capacity does not lie between a passing and a failing rate`)
  }
  if (!((warm?.candidateMilliRps ?? 0) > (cold?.candidateMilliRps ?? 0))) {
    differences.push('the warm capacity is not above the cold one')
  }
  return differences
}

/** A regression names the class, the rate at which it failed and the size of the loss, for each cache state. */
export function lossDifferences(end: CommandEnd): Differences {
  const differences: Differences = []
  for (const { cache, reasons, changeShare, guardMilliRps } of readVerdict(end)?.states ?? []) {
    if (!reasons.some((reason) => reason.class)) differences.push(`${cache}: no reason names a class`)
    const rate = String((guardMilliRps ?? 0) / 1000)
    if (!reasons.some(({ text }) => text.includes(rate))) differences.push(`${cache}: no reason names the rate ${rate}`)
    if (!(changeShare !== null && changeShare < 0)) differences.push(`${cache}: the size of the loss is not stated`)
  }
  return differences
}
