import type { Dialect, DialectInput, OwnedArgument, ReplicaPlace } from './dialect.ts'

/** The engine arguments that a manifest's own fields amount to, for one replica. They follow the subject's arguments. */
export function generatedArguments(dialect: Dialect, input: DialectInput, place: ReplicaPlace): string[] {
  return dialect.arguments.flatMap((argument) => {
    const value = argument.generate?.(input, place) ?? null
    if (value === null) return []
    if (value === true) return [`--${argument.long}`]
    if (value === false) return [`--no-${argument.long}`]
    return [`--${argument.long}`, value]
  })
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
  const candidates = dialect.arguments.filter((argument) => !(input && argument.leftToSubject?.(input)))
  const start = firstOfEngine(dialect, args, input)
  return args.flatMap((written, index) => {
    if (index >= start && isPositional(dialect, written, index === start ? undefined : args[index - 1])) {
      return [{ index, flag: written, argument: '--model', owner: 'model.id' }]
    }
    const flag = /^(-{1,2}[^=]*)/.exec(written)?.[1]
    if (!flag || flag === '-' || flag === '--') return []
    const argument = candidates.find((candidate) => names(candidate, flag)) ?? candidates.find((c) => shortens(c, flag))
    return argument ? [{ index, flag, argument: `--${argument.long}`, owner: argument.owner }] : []
  })
}

/** Where the arguments begin of which a bare word is the model: after the word for serving, which a container's entry point may hold. */
function firstOfEngine(dialect: Dialect, args: readonly string[], input: DialectInput | undefined): number {
  if (dialect.positionalModelAfter === null) return Number.POSITIVE_INFINITY
  const word = args.indexOf(dialect.positionalModelAfter)
  if (word >= 0) return word + 1
  return input?.engine.deploy?.kind === 'docker' ? 0 : Number.POSITIVE_INFINITY
}

/** Switches by their form or name: none takes a value, so that a bare word after one stands for itself. */
const SWITCH = /^--(?:(?:no|enable|disable|use)[-_].+|enforce[-_]eager|trust[-_]remote[-_]code|async[-_]scheduling)$/

/** A bare word is a value only where a flag before it can take one. */
function isPositional(dialect: Dialect, written: string, before: string | undefined): boolean {
  if (written.startsWith('-')) return false
  if (before === undefined || before === '--' || /^-.*=/s.test(before)) return true
  return SWITCH.test(before) || dialect.arguments.some((argument) => !argument.takesValue && names(argument, before))
}

/** `--no-Foo_bar.baz` → `foo-bar`; short forms as they stand. */
function normalised(flag: string): string {
  if (!flag.startsWith('--')) return flag.split('.', 1)[0] ?? flag
  const stem = flag.slice(2).split('.', 1)[0] ?? ''
  return stem.replaceAll('_', '-').replace(/^no-/, '')
}

function spellings(argument: OwnedArgument): string[] {
  return [argument.long, ...argument.aliases]
}

function names(argument: OwnedArgument, flag: string): boolean {
  return spellings(argument).includes(normalised(flag)) || argument.aliases.some((alias) => isJoined(alias, flag))
}

/** `-qfp8`: a single letter and its value in one word. */
function isJoined(alias: string, flag: string): boolean {
  return /^-[A-Za-z]$/.test(alias) && flag.startsWith(alias)
}

function shortens(argument: OwnedArgument, flag: string): boolean {
  const stem = normalised(flag)
  return stem.length > 1 && spellings(argument).some((spelling) => spelling.startsWith(stem))
}
