import { promotionObstacles } from '../gate/promotion.ts'
import { allReasons } from '../gate/verdict.ts'
import type { Verdict } from '../gate/verdict.ts'
import { commandWord, pathWord } from './command-word.ts'
import type { ReportInput } from './context.ts'
import { signedPercent } from './numbers.ts'
import { SWEPT, packSweep } from './pack-sweep.ts'

/** The run as it was typed, for the commands that follow from it. */
export interface TypedRun {
  /** As the user named it. */
  manifest: string
  /** Everything after the program's own name. */
  argv: readonly string[]
  /** A pack's folder that is not there yet. */
  freshPack: string
}

/** What to type next, and what for. */
export interface NextCommand {
  purpose: string
  command: string
}

/** Where accepted records go that nobody has named a place for yet. */
const FIRST_BASELINES = 'dir:capacity-baselines'

/** What only a sweep of the accepted revision mends: what it is for, and why its record is accepted. */
const SWEEP_MENDS = {
  baseline_missing: { purpose: 'sweep the revision that is accepted today', reason: 'the first baseline' },
  baseline_state_missing: { purpose: 'sweep the revision that is accepted today', reason: 'a cache state was missing' },
  baseline_not_a_sweep: { purpose: 'sweep the revision that is accepted today', reason: 'the first sweep' },
  baseline_without_capacity: { purpose: 'sweep the revision that is accepted today', reason: 'the first capacity' },
  experiment_differs: { purpose: 'sweep, if the change is meant', reason: 'the experiment was changed' },
  hardware_differs: { purpose: 'sweep the accepted revision here, if the machine is meant', reason: 'another machine' },
} as const

/** Options that make a run another one than a sweep of what the manifest itself names, compared with nothing. */
const DECLARED = ['--subject', '--baseline', '--on-missing-baseline', '--accepted'] as const

/**
 * The commands that a verdict asks for, the first to type first; none where nothing is to be done. `typed` is the run behind it; null where
 * no run was typed here, as in a workflow. `baselineFile` is what its pack was compared with anew, by a file's name.
 */
export function nextCommands(
  input: ReportInput,
  typed: TypedRun | null,
  baselineFile: string | null = null,
): NextCommand[] {
  const { outcome } = input.verdict
  const pack = packWord(input.context.packPath)
  switch (outcome) {
    case 'held':
      return []
    case 'recorded':
    case 'improved':
      return acceptCommands(input, typed, pack)
    case 'regressed':
      return explainCommands(input, pack, baselineFile)
    case 'inconclusive':
      return inconclusiveCommands(input, typed, pack)
    case 'invalid':
      return [...lookCommands(input.verdict, typed, pack), ...againCommands(typed)]
  }
}

function acceptCommands(input: ReportInput, typed: TypedRun | null, pack: string): NextCommand[] {
  const reason = reasonWord(input.verdict)
  const obstacles = promotionObstacles(input.record)
  if (obstacles.length === 0) {
    return [{ purpose: 'accept this record as the baseline', command: promoteCommand(input, pack, reason) }]
  }
  const sweep = typed === null ? packSweep(pack, input.context) : typedCommand(asSweep(typed, []))
  return [
    {
      purpose: obstacles.some(({ code }) => code === 'no_failing_rate')
        ? 'none of the rates failed: write higher ones into sweep.rates_rps, then sweep again'
        : 'sweep, since this record cannot be promoted as it is',
      command: sweep,
    },
    { purpose: 'then accept that one as the baseline', command: promoteCommand(input, sweptPack(typed), reason) },
  ]
}

/** A pack's path as a word of a command; a stand-in where it cannot be shown as it is. */
export function packWord(path: string | undefined): string {
  return path === undefined ? 'PACK' : (pathWord(path) ?? 'PACK')
}

/** Why a record is accepted, in words that are true of it. */
function reasonWord({ outcome, states }: Verdict): string {
  const gains = states.flatMap(({ cache, changeShare }) =>
    changeShare === null || changeShare <= 0 ? [] : `${cache} ${signedPercent(changeShare)} %`,
  )
  const why = outcome === 'recorded' ? 'the first baseline' : `improved: ${gains.join(', ')}`
  return commandWord(why) ?? 'WHY'
}

function explainCommands({ baseline }: ReportInput, pack: string, baselineFile: string | null): NextCommand[] {
  // Against a declared minimum alone there are no two points to compare.
  if (baseline === null) return []
  const against = baselineFile === null ? '' : ` --baseline ${pathWord(baselineFile) ?? 'FILE'}`
  return [{ purpose: 'see why it fell', command: `capacity-gate explain ${pack}${against}` }]
}

function inconclusiveCommands(input: ReportInput, typed: TypedRun | null, pack: string): NextCommand[] {
  const codes = allReasons(input.verdict).map(({ code }) => code)
  const first = codes.find((code) => Object.hasOwn(SWEEP_MENDS, code))
  if (first === undefined) return againCommands(typed)
  const { purpose, reason } = SWEEP_MENDS[first as keyof typeof SWEEP_MENDS]
  const sweep =
    typed === null
      ? packSweep(pack, {})
      : typedCommand([...asSweep(typed, DECLARED), '--on-missing-baseline', 'record'])
  const promote = promoteCommand(input, sweptPack(typed), commandWord(reason) ?? 'WHY')
  return [
    { purpose, command: sweep },
    {
      purpose: 'then accept that one as the baseline',
      command: codes.includes('experiment_differs') ? `${promote} --new-experiment` : promote,
    },
  ]
}

/** What shows where the fault of a measurement lies. */
function lookCommands(verdict: Verdict, typed: TypedRun | null, pack: string): NextCommand[] {
  const texts = allReasons(verdict)
  if (texts.some(({ code }) => code === 'record_contradictory')) {
    return [{ purpose: 'see what of the pack was changed', command: `capacity-gate verify ${pack}` }]
  }
  // Another engine than the pinned one: no command looks into that.
  if (texts.some(({ code }) => code === 'identity_failed')) return []
  const manifest = manifestWord(typed, pack)
  return texts.some(({ text }) => /\bclient\./.test(text))
    ? [{ purpose: 'see what the client can measure here', command: `capacity-gate calibrate ${manifest}` }]
    : [{ purpose: 'see what of this machine is in the way', command: `capacity-gate doctor ${manifest}` }]
}

/** The run as it was typed, as a sweep into a folder of its own, without some of its options. */
function asSweep(typed: TypedRun, dropped: readonly string[]): string[] {
  return [...without(withPack(typed), ['--plan', ...dropped]), '--plan', 'sweep']
}

function sweptPack(typed: TypedRun | null): string {
  return typed === null ? SWEPT : (pathWord(typed.freshPack) ?? 'PACK')
}

function promoteCommand({ context: { baselineRef } }: ReportInput, pack: string, reason: string): string {
  // A single file is compared with, and never promoted to.
  const place = baselineRef === undefined || baselineRef.startsWith('file:') ? FIRST_BASELINES : baselineRef
  return `capacity-gate promote --candidate ${pack}/capacity.json --to ${commandWord(place) ?? 'REF'} --reason ${reason}`
}

/** The manifest as it was named, since files beside it belong to it; else the pack's own. */
function manifestWord(typed: TypedRun | null, pack: string): string {
  return typed === null ? `${pack}/workload-manifest.yaml` : (pathWord(typed.manifest) ?? 'MANIFEST')
}

function againCommands(typed: TypedRun | null): NextCommand[] {
  if (typed === null) return []
  return [{ purpose: 'once that is mended, measure again', command: typedCommand(withPack(typed)) }]
}

/** A command line as it was typed, to be typed again. */
export function typedCommand(argv: readonly string[]): string {
  return ['capacity-gate', ...argv.map((word) => commandWord(word) ?? 'WORD')].join(' ')
}

/** The same run into a folder of its own: what stands is never measured over. */
function withPack({ argv, freshPack }: TypedRun): string[] {
  const kept = argv.filter((word) => word !== '--resume' && word !== '--json')
  return kept.map((word, index) => {
    if (word.startsWith('--pack=')) return `--pack=${freshPack}`
    return kept[index - 1] === '--pack' ? freshPack : word
  })
}

/** Options and their values left out, in either spelling. */
function without(argv: readonly string[], names: readonly string[]): string[] {
  return argv.filter(
    (word, index) =>
      !names.includes(word) &&
      !names.includes(argv[index - 1] ?? '') &&
      !names.some((name) => word.startsWith(`${name}=`)),
  )
}
