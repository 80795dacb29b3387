import type { z } from 'zod'
import type { JsonValue } from '../kernel/canonical.ts'
import { showPath, type Breach, type Finding, type Path, type RuleText } from './finding.ts'
import { schemaBreaches } from './schema-findings.ts'
import { openYaml } from './yaml-door.ts'

/** A rule of such a file that was broken. */
export interface FileBreach extends Breach {
  rule: RuleText
}

export interface ReadFile<T> {
  /** Everything that is wrong, in the order of the file. */
  findings: Finding[]
  /** Null exactly when a finding is an error. */
  value: T | null
}

/**
 * Reads a YAML file that stands beside the manifest in a repository: through the same door, and with the same findings. `check` is what its
 * schema cannot say; it is asked once the schema has nothing left. Hostile text; never throws.
 */
export function readBesideManifest<T>(
  text: string,
  schema: z.ZodType<T>,
  check: (value: T) => readonly FileBreach[] = () => [],
): ReadFile<T> {
  const { findings: door, source } = openYaml(text)
  const atDoor = door.map(({ rule, line, column, message }) => findingOf({ rule, path: [], message }, { line, column }))
  if (source === null) return { findings: atDoor, value: null }
  const written = (path: Path): string | null => source.written(path)
  const found = breaches(source.value, written, schema, check).map((breach) =>
    findingOf(breach, source.place(breach.path, breach.at ?? 'value')),
  )
  const findings = [...atDoor, ...found].toSorted((a, b) => a.line - b.line || a.column - b.column)
  const isBroken = findings.some(({ severity }) => severity === 'error')
  return { findings, value: isBroken ? null : schema.parse(source.value) }
}

function breaches<T>(
  value: JsonValue,
  written: (path: Path) => string | null,
  schema: z.ZodType<T>,
  check: (value: T) => readonly FileBreach[],
): readonly FileBreach[] {
  const ofSchema = schemaBreaches(value, written, schema)
  return ofSchema.length > 0 ? ofSchema : check(schema.parse(value))
}

function findingOf({ rule, path, message, hint }: FileBreach, place: { line: number; column: number }): Finding {
  const { id, severity, mend } = rule
  return { rule: id, severity, path: showPath(path), ...place, message, hint: hint ?? mend }
}
