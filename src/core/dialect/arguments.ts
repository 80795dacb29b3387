import type { Dialect, DialectInput } from './dialect.ts'
import type { ArgumentCondition, ArgumentValue, ManifestValue, OwnedArgument, ReplicaPlace } from './owned-argument.ts'

/** The engine arguments that a manifest's own fields amount to, for one replica. They follow the subject's arguments. */
export function generatedArguments(dialect: Dialect, input: DialectInput, place: ReplicaPlace): string[] {
  return dialect.arguments.flatMap(({ long, value }) =>
    value === null ? [] : written(long, value, (name) => manifestValue(dialect, input, place, name), input),
  )
}

function written(
  long: string,
  value: ArgumentValue,
  valueOf: (name: ManifestValue) => string | null,
  { engine }: DialectInput,
): string[] {
  if ('text' in value) return [`--${long}`, value.text]
  if ('flag' in value) return [`--${long}`]
  if ('prefixCache' in value) {
    const form = value.prefixCache[engine.prefix_cache]
    return form === null ? [] : [form ? `--${long}` : `--no-${long}`]
  }
  if ('positional' in value) {
    const word = valueOf(value.positional)
    return word === null ? [] : [word]
  }
  const plain = valueOf(value.of)
  if (plain === null || value.except?.includes(plain)) return []
  return [`--${long}`, value.words && Object.hasOwn(value.words, plain) ? (value.words[plain] ?? plain) : plain]
}

/** Whether the engine is handed this value of the manifest; null stands for the prefix cache. One of no known arguments may be. */
export function isHandedOn(dialect: Dialect, name: ManifestValue | null): boolean {
  return dialect.arguments.length === 0 || dialect.arguments.some((argument) => carries(argument, name))
}

function carries({ value }: OwnedArgument, name: ManifestValue | null): boolean {
  if (value === null) return false
  return name === null ? 'prefixCache' in value : 'of' in value && value.of === name
}

const COMMIT = /^[0-9a-f]{40}$/i

/** A local digest says what must lie on disk; only a commit can be asked of a hub. */
const commitOnly = (revision: string): string | null => (COMMIT.test(revision) ? revision : null)

function manifestValue(
  dialect: Dialect,
  { model, engine }: DialectInput,
  { port }: ReplicaPlace,
  name: ManifestValue,
): string | null {
  switch (name) {
    case 'model.id':
      return model.id
    case 'model.revision':
      return commitOnly(model.revision)
    case 'model.tokenizer_revision':
      return commitOnly(model.tokenizer_revision)
    case 'model.precision':
      return Object.hasOwn(dialect.precisions, model.precision)
        ? (dialect.precisions[model.precision] ?? null)
        : model.precision
    case 'model.max_model_len':
      return model.max_model_len === undefined ? null : String(model.max_model_len)
    case 'model.kv_cache_dtype':
      return model.kv_cache_dtype
    case 'model.quantization':
      return model.quantization
    case 'engine.placement.tp':
      return String(engine.placement.tp)
    case 'engine.placement.pp':
      return String(engine.placement.pp)
    case 'engine.placement.dp':
      return engine.deploy?.router?.kind === 'engine' && engine.placement.dp > 1 ? String(engine.placement.dp) : null
    case 'port':
      return String(port)
  }
}

/** One of the subject's arguments that the manifest owns. */
export interface OwnedUse {
  /** Its place in the argument list. */
  index: number
  /** The flag as the subject wrote it, without its value. */
  flag: string
  /** The owned argument's long form, with `--`. */
  argument: string
  /** The manifest field that owns it, or `the gate`. */
  owner: string
}

/**
 * Which of the subject's arguments name something that the manifest owns, in any spelling that an engine's parser takes: `_` for `-`,
 * `--flag=value`, `--flag.key` of a JSON value, `--no-flag`, short forms, unique prefixes, and a model as a bare word. A prefix that fits
 * an owned argument counts as one, since what it resolves to is the engine's secret.
 */
export function ownedArgumentsIn(dialect: Dialect, args: readonly string[], input?: DialectInput): OwnedUse[] {
  const candidates = dialect.arguments.filter(({ leftToSubject }) => !(input && isLeft(leftToSubject, input)))
  const start = firstOfEngine(dialect, args, input)
  return args.flatMap((written, index) => {
    if (index >= start && isPositional(dialect, written, index === start ? undefined : args[index - 1])) {
      return [{ index, flag: written, argument: '--model', owner: 'model.id' }]
    }
    const flag = /^(-{1,2}[^=]*)/.exec(written)?.[1]
    if (!flag || flag === '-' || flag === '--') return []
    const shortened = () => (dialect.syntax.prefixes ? candidates.find((one) => shortens(one, flag)) : undefined)
    const argument = candidates.find((one) => names(dialect, one, flag)) ?? shortened()
    return argument ? [{ index, flag, argument: `--${argument.long}`, owner: argument.owner }] : []
  })
}

function isLeft(condition: ArgumentCondition | null, { model, engine }: DialectInput): boolean {
  switch (condition) {
    case null:
      return false
    case 'chat_template':
      return model.chat_template_sha256 !== 'none'
    case 'speculative_decoding':
    case 'disaggregated_prefill':
      return engine[condition] === 'enabled'
  }
}

/** Where the arguments begin of which a bare word is the model: after the word for serving, which a container's entry point may hold. */
function firstOfEngine({ syntax }: Dialect, args: readonly string[], input: DialectInput | undefined): number {
  const words = syntax.positionalModelAfter
  if (words.length === 0) return Number.POSITIVE_INFINITY
  let start = args.findIndex((argument) => words.includes(argument))
  if (start < 0) return input?.engine.deploy?.kind === 'docker' ? 0 : Number.POSITIVE_INFINITY
  while (words.includes(args[start] ?? '')) start += 1
  return start
}

/** Switches by their form or name: none takes a value, so that a bare word after one stands for itself. */
const SWITCH = /^--(?:(?:no|enable|disable|use)[-_].+|enforce[-_]eager|trust[-_]remote[-_]code|async[-_]scheduling)$/

/** A bare word is a value only where a flag before it can take one. */
function isPositional(dialect: Dialect, written: string, before: string | undefined): boolean {
  if (written.startsWith('-')) return false
  if (before === undefined || before === '--' || /^-.*=/s.test(before)) return true
  return SWITCH.test(before) || dialect.arguments.some((one) => !one.takesValue && names(dialect, one, before))
}

/** `--no-Foo_bar.baz` → `foo-bar`; short forms as they stand. */
function normalised(flag: string): string {
  if (!flag.startsWith('--')) return flag.split('.', 1)[0] ?? flag
  const stem = flag.slice(2).split('.', 1)[0] ?? ''
  return stem.replaceAll('_', '-').replace(/^no-/, '')
}

function spellings({ long, aliases }: OwnedArgument): string[] {
  return [long, ...aliases].map((name) => (name.startsWith('-') ? name : normalised(`--${name}`)))
}

function names({ syntax }: Dialect, argument: OwnedArgument, flag: string): boolean {
  if (spellings(argument).includes(normalised(flag))) return true
  return syntax.joinedShort && argument.aliases.some((alias) => isJoined(alias, flag))
}

/** `-qfp8`: a single letter and its value in one word. */
function isJoined(alias: string, flag: string): boolean {
  return /^-[A-Za-z]$/.test(alias) && flag.startsWith(alias)
}

function shortens(argument: OwnedArgument, flag: string): boolean {
  const stem = normalised(flag)
  return stem.length > 1 && spellings(argument).some((spelling) => spelling.startsWith(stem))
}
