import type { Dialect } from './dialect.ts'

/** Who owns an environment variable: a manifest field, `the gate`, or nobody (null). */
export function environmentOwner({ ownedEnvironment }: Dialect, name: string): string | null {
  if (Object.hasOwn(ownedEnvironment, name)) return ownedEnvironment[name] ?? null
  const family = Object.keys(ownedEnvironment).find((key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
  return family === undefined ? null : (ownedEnvironment[family] ?? null)
}
