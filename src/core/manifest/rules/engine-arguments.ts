import { isHandedOn, ownedArgumentsIn } from '../../dialect/arguments.ts'
import { DIALECT_IDS, dialectNamed } from '../../dialect/choose.ts'
import type { DialectInput } from '../../dialect/dialect.ts'
import type { ManifestValue } from '../../dialect/owned-argument.ts'
import { environmentOwner, ownedAssignmentsIn } from '../../dialect/owned-environment.ts'
import { showValue, type Breach, type Path } from '../finding.ts'
import { isMapping } from '../schema-walk.ts'
import { valueAt } from '../schema-findings.ts'
import { nearest } from '../unknown-keys.ts'
import type { Rule, RuleInput } from './rule.ts'

const DEPLOY: Path = ['engine', 'deploy']

/** The subject's own arguments, as text even where they should have been quoted. */
function subjectArguments({ raw }: RuleInput): { path: Path; args: string[] } | null {
  for (const name of ['args', 'argv']) {
    const value = valueAt(raw, [...DEPLOY, name])
    if (Array.isArray(value)) return { path: [...DEPLOY, name], args: value.map(String) }
  }
  return null
}

/** What the conditional ownerships of a dialect read; null while the document is too broken to ask. */
function dialectInput({ draft }: RuleInput): DialectInput | undefined {
  const { model, engine } = draft
  const isWhole = model?.id && model.revision && model.tokenizer_revision && model.precision && engine?.placement
  return isWhole ? (draft as DialectInput) : undefined
}

function ownedArguments(input: RuleInput): Breach[] {
  const found = subjectArguments(input)
  if (!found) return []
  return ownedArgumentsIn(input.dialect, found.args, dialectInput(input)).map(
    ({ index, flag, argument, owner }): Breach => {
      const same = flag.startsWith(argument) ? '' : `, which is ${argument},`
      const hint = owner === 'the gate' ? 'Remove it: the gate sets it itself.' : `Remove it and set \`${owner}\`.`
      return {
        path: [...found.path, index],
        message: `the argument ${showValue(flag)}${same} is owned by ${owner}`,
        hint,
      }
    },
  )
}

/** `env NAME=VALUE program …`: the same by another door. A container's arguments are no program's. */
function ownedAssignments(input: RuleInput): Breach[] {
  const argv = valueAt(input.raw, [...DEPLOY, 'argv'])
  if (!Array.isArray(argv)) return []
  return ownedAssignmentsIn(input.dialect, argv.map(String)).map(({ index, name, owner }): Breach => {
    const message = `the environment variable ${name} is owned by ${owner}`
    return { path: [...DEPLOY, 'argv', index], message, hint: 'Remove it.' }
  })
}

function ownedEnvironment({ raw, dialect }: RuleInput): Breach[] {
  const environment = valueAt(raw, [...DEPLOY, 'env'])
  if (!isMapping(environment)) return []
  return Object.keys(environment).flatMap((name): Breach[] => {
    const owner = environmentOwner(dialect, name)
    if (owner === null) return []
    const hint = owner === 'the gate' ? 'Remove it: the gate sets it itself.' : `Remove it and set \`${owner}\`.`
    return [
      {
        path: [...DEPLOY, 'env', name],
        at: 'key',
        message: `the environment variable ${name} is owned by ${owner}`,
        hint,
      },
    ]
  })
}

function notConfigured(input: RuleInput): Breach[] {
  const { draft, dialect } = input
  const found = subjectArguments(input)
  const whole = dialectInput(input)
  if (!found || !whole) return []
  return (['speculative_decoding', 'disaggregated_prefill'] as const).flatMap((name): Breach[] => {
    const field = `engine.${name}`
    const owned = dialect.arguments.filter((argument) => argument.owner === field)
    if (draft.engine?.[name] !== 'enabled' || owned.length === 0) return []
    if (ownedArgumentsIn({ ...dialect, arguments: owned }, found.args).length > 0) return []
    const message = `\`${field}\` is enabled, but no argument configures it`
    return [
      {
        path: ['engine', name],
        message,
        hint: `Add --${owned[0]?.long} to \`${found.path.join('.')}\`, or disable it.`,
      },
    ]
  })
}

function unknownDialect({ raw }: RuleInput): Breach[] {
  const stated: Path = ['engine', 'dialect']
  const path = isMapping(valueAt(raw, stated)) ? [...stated, 'base'] : stated
  const id = valueAt(raw, path)
  if (typeof id !== 'string' || dialectNamed(id) !== undefined) return []
  const near = nearest(id, DIALECT_IDS)
  const message = `there is no dialect ${showValue(id)}; there are ${DIALECT_IDS.join(', ')}`
  return [{ path, message, hint: near ? `Did you mean ${near}?` : 'Name one of them.' }]
}

/** Manifest fields that an engine may have no argument for: their value that asks for nothing, and where it is stated. */
const PASSED_ON: readonly { field: string; value: ManifestValue | null; asksNothing: readonly unknown[] }[] = [
  { field: 'model.precision', value: 'model.precision', asksNothing: ['auto'] },
  { field: 'model.kv_cache_dtype', value: 'model.kv_cache_dtype', asksNothing: ['auto'] },
  { field: 'model.quantization', value: 'model.quantization', asksNothing: ['none'] },
  { field: 'model.max_model_len', value: 'model.max_model_len', asksNothing: [] },
  { field: 'engine.placement.tp', value: 'engine.placement.tp', asksNothing: [1] },
  { field: 'engine.placement.pp', value: 'engine.placement.pp', asksNothing: [1] },
  { field: 'engine.prefix_cache', value: null, asksNothing: ['enabled'] },
]

function notPassedOn({ draft, dialect }: RuleInput): Breach[] {
  const kind = draft.engine?.deploy?.kind
  if (kind !== 'docker' && kind !== 'process') return []
  return PASSED_ON.flatMap(({ field, value, asksNothing }): Breach[] => {
    const path = field.split('.')
    const stated = valueAt(draft, path)
    if (stated === undefined || asksNothing.includes(stated) || isHandedOn(dialect, value)) return []
    const message = `\`${field}\` is ${showValue(stated)}, which ${dialect.title} has no argument for: it is not set`
    return [{ path, message }]
  })
}

function unknownPrecision({ draft, dialect }: RuleInput): Breach[] {
  const precision = draft.model?.precision
  const words = Object.keys(dialect.precisions)
  if (precision === undefined || words.length === 0 || Object.hasOwn(dialect.precisions, precision)) return []
  const near = nearest(precision, words)
  const message = `the dialect ${dialect.id} does not know the precision ${showValue(precision)}`
  return [
    { path: ['model', 'precision'], message, hint: near ? `Did you mean ${near}?` : `It knows ${words.join(', ')}.` },
  ]
}

function lengthNotForced({ draft, dialect }: RuleInput): Breach[] {
  if (draft.client?.sampling?.ignore_eos === false || dialect.request.ignoreEos !== null) return []
  const message = `the dialect ${dialect.id} cannot ask for exact output lengths: an early end counts as an error`
  return [{ path: ['client', 'sampling'], at: 'key', message }]
}

function dummyWeights(input: RuleInput): Breach[] {
  const found = subjectArguments(input)
  if (!found || input.dialect.simulated) return []
  return found.args.flatMap((argument, index): Breach[] => {
    const isFormat = /^--load[-_]format(?:=|$)/.test(argument)
    const value = argument.split('=', 2)[1] ?? found.args[index + 1]
    if (!isFormat || value !== 'dummy') return []
    return [{ path: [...found.path, index], message: 'the engine runs on dummy weights' }]
  })
}

export const ENGINE_ARGUMENT_RULES: readonly Rule[] = [
  {
    id: 'owned-argument',
    title: 'An engine argument sets what the manifest owns',
    level: 'valid',
    severity: 'error',
    why: 'Model, revision, precision, lengths, parallelism, prefix cache, ports and the like come from the manifest, so that an upgrade cannot smuggle in another experiment. Every spelling is found: `_` for `-`, --flag=value, --flag.key, --no-flag, short forms and prefixes.',
    mend: "Remove the argument and set the manifest's own field.",
    check: ownedArguments,
  },
  {
    id: 'owned-environment',
    title: 'The environment sets what the manifest owns',
    level: 'valid',
    severity: 'error',
    why: 'The same as for arguments: ports, GPUs and the switches that the probes need are set by the gate.',
    mend: 'Remove the variable.',
    check: (input) => [...ownedEnvironment(input), ...ownedAssignments(input)],
  },
  {
    id: 'enabled-without-configuration',
    title: 'Something is enabled that no argument configures',
    level: 'deployable',
    severity: 'error',
    why: 'Speculative decoding and disaggregated prefill need a configuration that only the engine understands; without it the engine runs without them.',
    mend: 'Add the argument that configures it, or disable it.',
    check: notConfigured,
  },
  {
    id: 'unknown-dialect',
    title: 'The dialect is not known',
    level: 'valid',
    severity: 'error',
    why: 'The dialect says how the engine is asked, reset and watched.',
    mend: 'Name a known dialect, or leave it out: it follows from engine.name.',
    check: unknownDialect,
  },
  {
    id: 'not-passed-on',
    title: 'The manifest states what the engine has no argument for',
    level: 'deployable',
    severity: 'warning',
    why: 'The dialect hands the manifest’s values to the engine as arguments; where the engine has none, it runs with its own value, and nothing shows which.',
    mend: 'Leave the field at the value that asks for nothing, or state the argument in engine.dialect.arguments.',
    check: notPassedOn,
  },
  {
    id: 'unknown-precision',
    title: 'The engine does not know the precision',
    level: 'deployable',
    severity: 'error',
    why: 'It is handed to the engine, which would refuse it only after the machine was claimed.',
    mend: "Write one of the dialect's precisions.",
    check: unknownPrecision,
  },
  {
    id: 'length-not-forced',
    title: 'Output lengths cannot be forced',
    level: 'deployable',
    severity: 'warning',
    why: 'A success of another length than the workload declares is counted as an error.',
    mend: "Name the engine's own dialect, if there is one.",
    check: lengthNotForced,
  },
  {
    id: 'dummy-weights',
    title: 'The engine runs on dummy weights',
    level: 'deployable',
    severity: 'warning',
    why: 'Random weights have the shapes of the model and not its behaviour: drafting and expert routing differ.',
    mend: 'Remove --load-format dummy for a capacity that counts.',
    check: dummyWeights,
  },
]
