import { ownedArgumentsIn } from './arguments.ts'
import type { Dialect } from './dialect.ts'
import { flag, owned } from './owned-argument.ts'

/** A cache of prompts beside the one in the GPUs' memory, which a subject may switch on. */
export interface CacheTier {
  /** For people. */
  title: string
  /** Long names of arguments that switch it on, without `--`; found in every spelling that the engine takes. */
  arguments: readonly string[]
  /** Variables that do; a name that ends in `*` stands for all that begin so. */
  environment: readonly string[]
  /** What empties it: the dialect's own reset, a new start of the engine, or neither, as it outlives both (a disk, a store elsewhere). */
  clearedBy: 'reset' | 'restart' | 'nothing'
}

/** What an engine can hold of prompts beside its GPUs' memory, and what of them it counts. */
export interface CacheTiers {
  known: readonly CacheTier[]
  /** Whether the subject's arguments and environment show what is on; false where workers of their own hold the cache. */
  isSeen: boolean
  /** A counter of prompt tokens that such a tier gave; null where none is known. */
  hits: TierHits | null
}

export interface TierHits {
  /** Wire names, newest first. */
  names: readonly string[]
  /** Series with one of these values of a label are the GPUs' own. */
  except: Readonly<Record<string, readonly string[]>>
}

export const NO_TIERS: CacheTiers = { known: [], isSeen: true, hits: null }

interface Started {
  args?: readonly string[] | undefined
  argv?: readonly string[] | undefined
  env?: Readonly<Record<string, string>> | undefined
}

/** The tiers that a subject's own arguments and environment switch on. */
export function tiersSwitchedOn(dialect: Dialect, { args, argv, env }: Started): CacheTier[] {
  const written = args ?? argv ?? []
  return dialect.cacheTiers.known.filter((tier) => {
    const own = tier.arguments.map((long) => owned(long, 'the subject', flag))
    const syntax = { ...dialect.syntax, positionalModelAfter: [] }
    const uses = ownedArgumentsIn({ ...dialect, syntax, arguments: own }, written)
    const isNamed = uses.some(({ flag: as }) => !/^--no[-_]/.test(as))
    return isNamed || Object.keys(env ?? {}).some((name) => tier.environment.some((pattern) => isNameOf(pattern, name)))
  })
}

function isNameOf(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
