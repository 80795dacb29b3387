import { dialectFor } from '../dialect/choose.ts'
import type { JsonValue } from '../kernel/canonical.ts'
import { showPath, type Breach, type Finding, type Level, type Path, type RuleText } from './finding.ts'
import { LINT_RULES } from './rules/all-rules-table.ts'
import { BROKEN_BENCHMARK_RULES, isFlatBenchmark } from './rules/broken-benchmark.ts'
import type { Rule, RuleInput } from './rules/rule.ts'
import { salvage, type Draft } from './salvage.ts'
import { schemaBreaches, valueAt, type SchemaBreach } from './schema-findings.ts'
import { manifestSchema, type Manifest } from './schema.ts'
import { dialectChange, mergeOverride, overrideBreaches } from './subject-override.ts'
import { openYaml } from './yaml-door.ts'
import type { YamlSource } from './yaml-source.ts'

export interface ReadOptions {
  level: Level
  /** YAML that overrides subject fields of the manifest. */
  subject?: string
}

export interface ReadManifest {
  /** Everything that is wrong, in the order of the file. */
  findings: Finding[]
  /** Null exactly when a finding is an error. */
  manifest: Manifest | null
}

const OVERRIDE = 'subject override'
/** Of one rule: nobody mends more at once. */
const MOST_BREACHES = 20

/**
 * Reads a manifest from hostile text and judges it: the file, its schema and every lint rule of the level, all at once. Never throws.
 */
export function readManifest(text: string | Uint8Array, options: ReadOptions): ReadManifest {
  const opened = openYaml(text)
  const door = opened.findings.map((finding) => ({ ...fromRule(finding.rule), ...finding, path: '' }))
  const changed = options.subject === undefined ? null : openYaml(options.subject)
  const overrideDoor = (changed?.findings ?? []).map((finding) => {
    return { ...fromRule(finding.rule), ...finding, path: OVERRIDE }
  })
  const atDoor = [...door, ...overrideDoor].map(plainFinding)
  if (opened.source === null || (changed !== null && changed.source === null)) return outcome(atDoor, null)
  const document = new ManifestDocument(opened.source, changed?.source ?? null)
  const findings = [...atDoor, ...document.findings(options.level)]
  return outcome(findings, document.value)
}

function outcome(findings: readonly Finding[], value: JsonValue | null): ReadManifest {
  const ordered = findings.toSorted(byPlace)
  if (value === null || ordered.some((finding) => finding.severity === 'error'))
    return { findings: ordered, manifest: null }
  return { findings: ordered, manifest: manifestSchema.parse(value) }
}

function byPlace(a: Finding, b: Finding): number {
  const ofOverride = (finding: Finding) => Number(finding.path.startsWith(OVERRIDE))
  return ofOverride(a) - ofOverride(b) || a.line - b.line || a.column - b.column
}

function fromRule(rule: RuleText): Pick<Finding, 'severity' | 'hint'> & { rule: string } {
  return { rule: rule.id, severity: rule.severity, hint: rule.mend }
}

/** A manifest's value and its override's, merged, with the places of both. */
class ManifestDocument {
  readonly value: JsonValue
  readonly #base: YamlSource
  readonly #override: YamlSource | null

  constructor(base: YamlSource, override: YamlSource | null) {
    this.#base = base
    this.#override = override
    this.value = override === null ? base.value : mergeOverride(base.value, override.value)
  }

  findings(level: Level): Finding[] {
    if (isFlatBenchmark(this.value)) {
      const flat = this.#broken(BROKEN_BENCHMARK_RULES, level)
      if (flat.length > 0) return flat.map(({ rule, breach }) => this.#finding(rule, breach))
    }
    const broken = this.#broken(LINT_RULES, level)
    // A warning does not stand for the schema's error at its place.
    const errors = broken.filter(({ rule }) => rule.severity === 'error')
    const spoken = new Set(errors.map(({ breach }) => showPath(breach.path)))
    const written = (path: Path) => this.#source(path).written(path)
    const schema = schemaBreaches(this.value, written).filter((breach) => !spoken.has(showPath(breach.path)))
    const strangers =
      this.#override === null
        ? []
        : [...overrideBreaches(this.#override.value, this.value), ...dialectChange(this.#base.value, this.value)]
    return [
      ...[...schema, ...strangers].map((breach: SchemaBreach) => this.#finding(breach.rule, breach)),
      ...broken.map(({ rule, breach }) => this.#finding(rule, breach)),
    ]
  }

  #broken(rules: readonly Rule[], level: Level): { rule: Rule; breach: Breach }[] {
    const input = this.#ruleInput()
    const asked = rules.filter((rule) => rule.level === 'valid' || level === 'deployable')
    return asked.flatMap((rule) => firstOf(rule.check(input)).map((breach) => ({ rule, breach })))
  }

  #ruleInput(): RuleInput {
    const draft = (salvage(manifestSchema, this.value) ?? {}) as Draft
    return { draft, raw: this.value, dialect: dialectFor({ engine: draft.engine ?? {} }) }
  }

  /** Where a path of the merged value was written: the override, if it says anything there. */
  #source(path: Path): YamlSource {
    if (this.#override === null || path.length === 0) return this.#base
    return valueAt(this.#override.value, path) === undefined ? this.#base : this.#override
  }

  #finding(rule: RuleText, breach: Breach): Finding {
    const source = this.#source(breach.path)
    const place = source.place(breach.path, breach.at ?? 'value')
    const path = showPath(breach.path)
    return plainFinding({
      ...fromRule(rule),
      path: source === this.#override ? `${OVERRIDE}: ${path}` : path,
      line: place.line,
      column: place.column,
      message: breach.message,
      ...(breach.hint === undefined ? {} : { hint: breach.hint }),
    })
  }
}

/** The first breaches of a rule, and how many more there are. */
function firstOf(breaches: readonly Breach[]): Breach[] {
  if (breaches.length <= MOST_BREACHES) return [...breaches]
  const more = `the same in ${breaches.length - MOST_BREACHES} more places`
  return [...breaches.slice(0, MOST_BREACHES), { path: breaches[MOST_BREACHES]?.path ?? [], message: more }]
}

/** Exactly the fields of a finding, in the order that people read them. */
function plainFinding(finding: Omit<Finding, 'rule'> & { rule: string | RuleText }): Finding {
  const { rule, severity, path, line, column, message, hint } = finding
  return { rule: typeof rule === 'string' ? rule : rule.id, severity, path, line, column, message, hint }
}
