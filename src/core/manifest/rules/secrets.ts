import { showPath, showValue, type Breach, type Path } from '../finding.ts'
import { isMapping } from '../schema-walk.ts'
import { isNamedSecret, secretIn } from '../secret-patterns.ts'
import type { Rule, RuleInput } from './rule.ts'

/** Digests and names look random, too: only text values are read, and only by shape or by their own name. */
function secretsIn(value: unknown, path: Path): Breach[] {
  if (Array.isArray(value))
    return [...argumentSecrets(value, path), ...value.flatMap((item, index) => secretsIn(item, [...path, index]))]
  if (isMapping(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      const inKey = secretIn(key)
      const keyBreach: Breach[] = inKey ? [found([...path, key], inKey, 'key')] : []
      const isText = typeof item === 'string' || typeof item === 'number'
      if (isText && isNamedSecret(key, String(item)) && !secretIn(String(item))) {
        return [...keyBreach, found([...path, key], `a value for ${showValue(key)}`)]
      }
      return [...keyBreach, ...secretsIn(item, [...path, key])]
    })
  }
  const what = typeof value === 'string' ? secretIn(value) : null
  return what ? [found(path, what)] : []
}

/** `--api-key VALUE`, `--token=VALUE` and `NAME_TOKEN=VALUE` in a list of arguments. */
function argumentSecrets(list: readonly unknown[], path: Path): Breach[] {
  return list.flatMap((item, index): Breach[] => {
    if (typeof item !== 'string' || secretIn(item)) return []
    const [name = '', inline] = item.replace(/^-+/, '').split(/=(.*)/s, 2)
    const next = list[index + 1]
    const isFlag = item.startsWith('-')
    const isFollowed =
      isFlag && inline === undefined && typeof next === 'string' && !next.startsWith('-') && !secretIn(next)
    const value = inline ?? (isFollowed ? next : undefined)
    if (value === undefined || !isNamedSecret(name, value)) return []
    return [found([...path, inline === undefined ? index + 1 : index], `a value for ${showValue(name)}`)]
  })
}

function found(path: Path, what: string, at?: 'key'): Breach {
  const breach: Breach = { path, message: `\`${showPath(path)}\` holds ${what} in plain text` }
  return at ? { ...breach, at } : breach
}

export const SECRET_RULES: readonly Rule[] = [
  {
    id: 'secret-in-plain-text',
    title: 'A secret stands in the manifest',
    level: 'valid',
    severity: 'error',
    why: 'Manifests are committed, hashed and copied into every pack. The value is not repeated here.',
    mend: 'Remove it, revoke it if it was real, and name the environment variable in engine.deploy.secrets instead.',
    check: ({ raw }: RuleInput) => secretsIn(raw, []),
  },
]
