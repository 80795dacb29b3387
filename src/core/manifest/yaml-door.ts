import { LineCounter, parseDocument, visit, isAlias, isScalar, type Document, type Node, type YAMLError } from 'yaml'
import type { JsonValue } from '../kernel/canonical.ts'
import { showValue, type RuleText } from './finding.ts'
import { YAML_RULES } from './yaml-rules-table.ts'
import { yamlSource, type Place, type YamlSource } from './yaml-source.ts'

const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 64
const MAX_ALIASES = 100
const MAX_FINDINGS = 20
const RESERVED_KEYS = ['__proto__', 'constructor', 'prototype']

/** A finding of the door: where it is known already. */
interface DoorFinding extends Place {
  rule: RuleText
  message: string
}

export interface OpenedYaml {
  findings: DoorFinding[]
  /** Null where the text has no value that could be judged further. */
  source: YamlSource | null
}

/** Reads one YAML mapping from hostile bytes. Never throws; whatever is wrong is a finding. */
export function openYaml(bytes: string | Uint8Array): OpenedYaml {
  const text = asText(bytes)
  if (typeof text !== 'string') return { findings: [text], source: null }
  const tooDeep = deepNesting(text)
  if (tooDeep) return { findings: [tooDeep], source: null }
  try {
    return parse(text)
  } catch (problem) {
    // What is left to throw is the parser running out of stack.
    const rule = problem instanceof RangeError ? YAML_RULES.tooDeep : YAML_RULES.syntax
    return { findings: [{ rule, line: 1, column: 1, message: `${rule.title.toLowerCase()}` }], source: null }
  }
}

function asText(bytes: string | Uint8Array): string | DoorFinding {
  const start = { line: 1, column: 1 }
  const size = typeof bytes === 'string' ? bytes.length : bytes.byteLength
  if (size > MAX_BYTES) {
    return { rule: YAML_RULES.tooLarge, ...start, message: `the file has ${size} bytes; at most ${MAX_BYTES} are read` }
  }
  let text: string
  try {
    text = typeof bytes === 'string' ? bytes : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { rule: YAML_RULES.notText, ...start, message: 'the file is not UTF-8' }
  }
  const control = firstControlCharacter(text)
  if (control !== null) {
    const before = text.slice(0, control).split('\n')
    const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 }
    const code = text.charCodeAt(control).toString(16).padStart(2, '0')
    return { rule: YAML_RULES.notText, ...place, message: `the file has a control character (0x${code}): it is binary` }
  }
  const withoutMark = text.replace(/^\uFEFF/, '')
  if (withoutMark.trim() === '') return { rule: YAML_RULES.empty, ...start, message: 'the file is empty' }
  return withoutMark
}

function firstControlCharacter(text: string): number | null {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return index
  }
  return null
}

/** Refuses what would cost a recursive parser its stack, before it is parsed: brackets and block indicators are counted. */
function deepNesting(text: string): DoorFinding | null {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const brackets = line.match(/[[{]/g)?.length ?? 0
    const dashes = /^\s*((?:[-?:]\s+){65,})/.test(line)
    const indent = /^ */.exec(line)?.[0].length ?? 0
    if (dashes || indent > 4096 || brackets > 4096) {
      return {
        rule: YAML_RULES.tooDeep,
        line: index + 1,
        column: 1,
        message: 'the nesting is too deep',
      }
    }
  }
  return null
}

function parse(text: string): OpenedYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'core',
    merge: true,
    // The parser's own check takes a minute for a megabyte of keys; ours is below.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  const findings = [...document.errors, ...document.warnings].map((problem) => yamlProblem(problem, lines))
  if (document.errors.length > 0) return { findings: firstOfEachPlace(findings), source: null }
  findings.push(...nodeFindings(document, lines))
  if (findings.some((finding) => FATAL.includes(finding.rule.id))) return { findings, source: null }
  const value = plainValue(document)
  if (value === undefined) {
    return {
      findings: [{ rule: YAML_RULES.aliases, ...firstAlias(document, lines), message: 'aliases expand to too much' }],
      source: null,
    }
  }
  if (value === null) {
    return {
      findings: [{ rule: YAML_RULES.empty, line: 1, column: 1, message: 'the file has no content' }],
      source: null,
    }
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    const what = Array.isArray(value) ? 'a list' : showValue(value)
    const message = `the document is ${what} where a mapping is expected`
    return { findings: [{ rule: YAML_RULES.notAMapping, line: 1, column: 1, message }], source: null }
  }
  return { findings, source: yamlSource(document, lines, value) }
}

const FATAL: readonly string[] = [YAML_RULES.tooDeep.id, YAML_RULES.syntax.id, YAML_RULES.aliases.id]

const PROBLEMS: Readonly<Record<string, { rule: RuleText; message: string }>> = {
  TAB_AS_INDENT: { rule: YAML_RULES.tab, message: 'this line is indented with a tab' },
  MULTIPLE_DOCS: { rule: YAML_RULES.severalDocuments, message: 'a second document begins here' },
  RESOURCE_EXHAUSTION: { rule: YAML_RULES.tooDeep, message: 'the nesting is too deep' },
  TAG_RESOLVE_FAILED: { rule: YAML_RULES.tag, message: 'this value has a tag that is not read here' },
}

/** The parser's sentence names YAML's own words, and never quotes the text. */
function yamlProblem(problem: YAMLError, lines: LineCounter): DoorFinding {
  const { line, col } = lines.linePos(problem.pos[0])
  const known = PROBLEMS[problem.code]
  return {
    rule: known?.rule ?? YAML_RULES.syntax,
    line: Math.max(1, line),
    column: Math.max(1, col),
    message: known?.message ?? `the YAML cannot be read here: ${syntaxMessage(problem)}`,
  }
}

function syntaxMessage(problem: YAMLError): string {
  const first = problem.message.split('\n', 1)[0] ?? ''
  return showValue(first, 160).slice(1, -1).replaceAll('\\"', '"')
}

/** One mistake makes a parser complain many times at one place. */
function firstOfEachPlace(findings: readonly DoorFinding[]): DoorFinding[] {
  const key = (finding: DoorFinding) => `${finding.rule.id}:${finding.line}`
  const seen = new Map(findings.toReversed().map((finding) => [key(finding), finding]))
  return [...seen.values()].toReversed().slice(0, MAX_FINDINGS)
}

function nodeFindings(document: Document.Parsed, lines: LineCounter): DoorFinding[] {
  const findings: DoorFinding[] = []
  let aliases = 0
  const report = (rule: RuleText, node: Node, message: string) => {
    const { line, col } = lines.linePos(node.range?.[0] ?? 0)
    if (findings.length < MAX_FINDINGS) findings.push({ rule, line, column: col, message })
  }
  visit(document, {
    Node(_key, node, path) {
      // Escapes can write half a character, which has no UTF-8 and no canonical form.
      if (isScalar(node) && typeof node.value === 'string' && !node.value.isWellFormed())
        report(YAML_RULES.notText, node, 'this text holds half a character')
      if (path.length <= MAX_DEPTH * 2) return undefined
      report(YAML_RULES.tooDeep, node, 'the nesting is too deep')
      return visit.BREAK
    },
    Map(_key, map) {
      const seen = new Set<string>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        const name = String(key.value)
        if (seen.has(name) && name !== '<<')
          report(YAML_RULES.duplicateKey, key, `the key ${showValue(name)} stands twice in its mapping`)
        if (RESERVED_KEYS.includes(name)) report(YAML_RULES.forbiddenKey, key, `the key \`${name}\` is reserved`)
        seen.add(name)
      }
    },
    Alias(_key, alias) {
      aliases += 1
      if (aliases > MAX_ALIASES) {
        report(YAML_RULES.aliases, alias, `more than ${MAX_ALIASES} aliases`)
        return visit.BREAK
      }
      if (!alias.resolve(document)) report(YAML_RULES.syntax, alias, 'this alias names no anchor before it')
      return undefined
    },
  })
  return findings
}

function plainValue(document: Document.Parsed): JsonValue | undefined {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    return withoutReserved(value)
  } catch (problem) {
    if (problem instanceof ReferenceError) return undefined
    throw problem
  }
}

/** A copy of plain objects only, without reserved keys; aliased parts are copied, so that nothing is shared. */
function withoutReserved(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(withoutReserved)
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([key]) => !RESERVED_KEYS.includes(key))
    return Object.fromEntries(entries.map(([key, item]) => [key, withoutReserved(item)]))
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value === undefined || value === null ? null : String(value)
}

function firstAlias(document: Document.Parsed, lines: LineCounter): Place {
  let offset = 0
  visit(document, {
    Alias(_key, node) {
      if (!isAlias(node)) return undefined
      offset = node.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}
