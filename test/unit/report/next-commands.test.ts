import { expect, it } from 'vitest'
import { nextCommands, typedCommand } from '../../../src/core/report/next-commands.ts'
import type { TypedRun } from '../../../src/core/report/next-commands.ts'
import { renderText } from '../../../src/core/report/text.ts'
import { baseline, boots, evidence, GUARD, heldCandidate, record, result } from '../gate/record-fixture.ts'
import { CASES, input } from './report-fixture.ts'

const TYPED: TypedRun = {
  manifest: 'my work/m.yaml',
  argv: ['run', 'my work/m.yaml', '--pack', 'my pack', '--baseline=dir:base lines', '--subject', 's.yaml', '--json'],
  freshPack: 'my pack-2',
}

const commands = (name: string, typed: TypedRun | null, baselineRef?: string) => {
  const made = CASES[name]?.()
  if (made === undefined) throw new Error('no such case')
  const ref = baselineRef === undefined ? {} : { baselineRef }
  return nextCommands({ ...made, context: { ...made.context, packPath: 'my pack', ...ref } }, typed).map(
    ({ command }) => command,
  )
}

const AGAIN = "capacity-gate run 'my work/m.yaml' --pack 'my pack-2' '--baseline=dir:base lines' --subject s.yaml"

it('accepts what was recorded, where records are kept or else in a folder of that name', () => {
  const promote = (to: string) =>
    `capacity-gate promote --candidate 'my pack'/capacity.json --to ${to} --reason 'the first baseline'`
  expect(commands('recorded', TYPED)).toEqual([promote('dir:capacity-baselines')])
  expect(commands('recorded', TYPED, 'dir:base lines')).toEqual([promote("'dir:base lines'")])
  expect(commands('recorded', TYPED, 'branch:capacity-baselines')).toEqual([promote('branch:capacity-baselines')])
  expect(commands('recorded', TYPED, 'file:accepted.json')).toEqual([promote('dir:capacity-baselines')])
})

it('accepts a gain for what it is', () => {
  expect(commands('improved', TYPED)).toEqual([
    "capacity-gate promote --candidate 'my pack'/capacity.json --to dir:capacity-baselines --reason 'improved: cold +8.3 %, warm +10.0 %'",
  ])
})

it('sweeps first where a record cannot be promoted as it is, with everything else that was typed', () => {
  const recorded = input(heldCandidate(), null)
  expect(
    nextCommands({ ...recorded, context: { toolVersion: '1', packPath: 'p' } }, TYPED).map(({ command }) => command),
  ).toEqual([
    `${AGAIN} --plan sweep`,
    "capacity-gate promote --candidate 'my pack-2'/capacity.json --to dir:capacity-baselines --reason 'the first baseline'",
  ])
})

it('asks for higher rates where none failed: the same sweep would end the same', () => {
  const unbounded = record([result('sweep', boots('cold', GUARD.cold, 'pass', 'pass'))])
  const [first] = nextCommands(input(unbounded, null), TYPED)
  expect(first).toEqual({
    purpose: 'none of the rates failed: write higher ones into sweep.rates_rps, then sweep again',
    command: `${AGAIN} --plan sweep`,
  })
})

it('asks why it fell, of what was compared with; against a declared minimum alone there is nothing to ask', () => {
  expect(commands('regressed-warm', TYPED)).toEqual(["capacity-gate explain 'my pack'"])
  expect(commands('below-minimum', TYPED)).toEqual([])
  const made = input(record([result('confirm', boots('cold', GUARD.cold, 'fail', 'fail'))]))
  expect(nextCommands(made, null, 'old file.json').map(({ command }) => command)).toEqual([
    "capacity-gate explain inference-capacity-pack --baseline 'old file.json'",
  ])
})

it('sweeps what the manifest names where the baseline is of another experiment, and accepts that as one', () => {
  expect(commands('inconclusive-experiment', TYPED, 'dir:base lines')).toEqual([
    "capacity-gate run 'my work/m.yaml' --pack 'my pack-2' --plan sweep --on-missing-baseline record",
    "capacity-gate promote --candidate 'my pack-2'/capacity.json --to 'dir:base lines' --reason 'the experiment was changed' --new-experiment",
  ])
  expect(commands('inconclusive-experiment', null)).toEqual([
    "capacity-gate run 'my pack'/workload-manifest.yaml --plan sweep --pack accepted-pack --on-missing-baseline record",
    "capacity-gate promote --candidate accepted-pack/capacity.json --to dir:capacity-baselines --reason 'the experiment was changed' --new-experiment",
  ])
})

it('looks at the client or the machine, whichever a measurement is invalid for, and measures again', () => {
  expect(commands('invalid-client', TYPED)).toEqual(["capacity-gate calibrate 'my work/m.yaml'", AGAIN])
  expect(commands('invalid-client', null)).toEqual(["capacity-gate calibrate 'my pack'/workload-manifest.yaml"])
  const clocks = [evidence('host.clocks', { state: 'fail', text: 'throttled' })]
  const cold = boots('cold', GUARD.cold, 'invalid', 'invalid').map((item) => ({ ...item, evidence: clocks }))
  const host = input(record([result('confirm', cold)]))
  expect(nextCommands(host, TYPED)[0]?.command).toBe("capacity-gate doctor 'my work/m.yaml'")
  // What ran is not what is pinned: nothing to look at with a command.
  expect(commands('invalid-identity', TYPED)).toEqual([AGAIN])
})

it('has nothing to do after a verdict that held', () => {
  expect(commands('held', TYPED)).toEqual([])
  const held = input(heldCandidate(), baseline())
  expect(renderText(held).endsWith('\nnext: nothing needs to be done')).toBe(true)
  expect(renderText(CASES['accepted-loss']?.() ?? held)).not.toContain('nothing needs to be done')
})

it('shows no word in a command that would be another one in a shell', () => {
  expect(typedCommand(['run', '$(x)', "a'b", '\u001B[2J'])).toBe(String.raw`capacity-gate run '$(x)' 'a'\''b' WORD`)
})
