/**
 * An engine argument that the manifest owns: the engine gets the manifest's value, and the subject's own arguments may not name it. Plain
 * data, so that a manifest can state one for an engine that no table knows.
 */
export interface OwnedArgument {
  /** Long form as the engine spells it, without the leading `--`. `_` and `-` are one when the subject's arguments are searched. */
  long: string
  /** Other spellings: old long names (bare), and short forms with their single hyphen (`-tp`). */
  aliases: readonly string[]
  /** Whether a value follows; a flag may also come as `no-…`. */
  takesValue: boolean
  /** The manifest field that owns it, or `the gate` where the gate itself needs it as it is. */
  owner: string
  /** What is generated; null for nothing. */
  value: ArgumentValue | null
  /** Where the manifest leaves the value to the subject, e.g. the configuration of speculative decoding that is enabled. */
  leftToSubject: ArgumentCondition | null
}

export type ArgumentValue =
  /** Always this text. */
  | { text: string }
  /** Always the bare flag. */
  | { flag: true }
  /** The manifest's value, in the engine's words where it has its own; nothing for a value that is excepted. */
  | { of: ManifestValue; words?: Readonly<Record<string, string>>; except?: readonly string[] }
  /** The manifest's value as a bare word, without the flag: `serve MODEL`. */
  | { positional: ManifestValue }
  /** By whether the prefix cache is enabled: true for the bare flag, false for its `no-…` form, null for nothing. */
  | { prefixCache: { enabled: boolean | null; disabled: boolean | null } }

/** What an argument's value may be taken from. Revisions only where they are commits: a local digest means nothing to a hub. */
export const MANIFEST_VALUES = [
  'model.id',
  'model.revision',
  'model.tokenizer_revision',
  'model.precision',
  'model.max_model_len',
  'model.kv_cache_dtype',
  'model.quantization',
  'engine.placement.tp',
  'engine.placement.pp',
  /** Data-parallel ranks of one engine, where that engine is the router; else nothing. */
  'engine.placement.dp',
  'port',
] as const
export type ManifestValue = (typeof MANIFEST_VALUES)[number]

export const ARGUMENT_CONDITIONS = ['chat_template', 'speculative_decoding', 'disaggregated_prefill'] as const
export type ArgumentCondition = (typeof ARGUMENT_CONDITIONS)[number]

export interface ReplicaPlace {
  port: number
  /** From 0. */
  replica: number
}

/** A table's short form of an owned argument. */
export function owned(
  long: string,
  owner: string,
  rest: Partial<Omit<OwnedArgument, 'long' | 'owner'>> = {},
): OwnedArgument {
  return { long, owner, aliases: [], takesValue: true, value: null, leftToSubject: null, ...rest }
}

/** Arguments that have the same owner and nothing generated: what only the search for them needs. */
export function refused(owner: string, longs: readonly string[], rest: Partial<OwnedArgument> = {}): OwnedArgument[] {
  return longs.map((long) => owned(long, owner, rest))
}

/** The rest of a switch: no value follows. */
export const flag = { takesValue: false } as const

/** The rest of a switch that the gate always sets. */
export const alwaysOn = { takesValue: false, value: { flag: true } } as const
