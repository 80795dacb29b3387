import type { Dialect } from './dialect.ts'

/** Who owns an environment variable: a manifest field, `the gate`, or nobody (null). Some engines read names in any case. */
export function environmentOwner({ ownedEnvironment }: Dialect, name: string): string | null {
  const upper = name.toUpperCase()
  const owners = Object.entries(ownedEnvironment)
  const exact = owners.find(([key]) => key.toUpperCase() === upper)
  const family = () => owners.find(([key]) => key.endsWith('*') && upper.startsWith(key.slice(0, -1).toUpperCase()))
  return (exact ?? family())?.[1] ?? null
}

/** An assignment among a program's words that names what the manifest owns: `env NAME=VALUE program …`. */
export interface OwnedAssignment {
  /** Its place in the words. */
  index: number
  name: string
  owner: string
}

/** Assignments among the words of a process, before its flags begin. */
export function ownedAssignmentsIn(dialect: Dialect, words: readonly string[]): OwnedAssignment[] {
  return words.flatMap((word, index) => {
    const name = /^([A-Za-z_]\w*)=/.exec(word)?.[1]
    const owner = name === undefined ? null : environmentOwner(dialect, name)
    return name === undefined || owner === null ? [] : [{ index, name, owner }]
  })
}
