import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { YAML_RULES } from '../../../src/core/manifest/yaml-rules-table.ts'
import { edited, errors, marked, packManifest, read } from './marked-manifests.ts'

const bomb = Array.from({ length: 9 }, (_, level) => {
  const inside = level === 0 ? 'x' : `*a${level - 1}`
  return `a${level}: &a${level} [${Array.from({ length: 9 }, () => inside).join(', ')}]`
}).join('\n')

/** `§` stands where the finding must point. */
const BAD_TEXTS: readonly [string, string, string][] = [
  ['nothing at all', '§', 'file-empty'],
  ['comments only', '§# a manifest\n\n', 'file-empty'],
  ['blank lines', '§ \n\n', 'file-empty'],
  ['a NUL byte', 'model:\n  id: a§\0b\n', 'file-not-text'],
  ['another control character', 'model: §\u0007\n', 'file-not-text'],
  ['half a character, escaped', 'model: {id: §"\\ud800"}\n', 'file-not-text'],
  ['half a character in a key', 'model: {§"a\\udfff": 1}\n', 'file-not-text'],
  ['broken flow syntax', 'model: {id: a\n§client: {}\n', 'yaml-syntax'],
  ['an alias without anchor', 'model: §*nowhere\n', 'yaml-syntax'],
  ['a tab', 'model:\n§\tid: a\n', 'yaml-tab'],
  ['a key that stands twice', 'model: {id: a}\n§model: {id: b}\n', 'yaml-duplicate-key'],
  ['a nested key that stands twice', 'model: {id: a, §id: b}\n', 'yaml-duplicate-key'],
  ['two documents', 'model: {}\n§---\nmodel: {}\n', 'yaml-several-documents'],
  ['a list', '§- model\n- client\n', 'yaml-not-a-mapping'],
  ['a text', '§just words\n', 'yaml-not-a-mapping'],
  ['a foreign tag', 'model: §!!python/object:os.system {id: a}\n', 'yaml-tag'],
  ['binary data', 'model: §!!binary aGVsbG8=\n', 'yaml-tag'],
  ['a prototype key', '§__proto__: {polluted: true}\n', 'forbidden-key'],
  ['a nested constructor key', 'model: {§constructor: {a: 1}}\n', 'forbidden-key'],
  ['deep flow nesting', `§${'['.repeat(5000)}`, 'yaml-too-deep'],
  ['deep list nesting', `§${'- '.repeat(5000)}a`, 'yaml-too-deep'],
]

describe('a file that is no manifest', () => {
  it.each(BAD_TEXTS)('%s', (_what, source, rule) => {
    const { text, line, column } = marked(source)
    const { findings, manifest } = read(text)
    const found = findings.find((finding) => finding.rule === rule)
    expect(findings.map((finding) => finding.rule)).toContain(rule)
    expect([found?.line, found?.column]).toEqual([line, column])
    expect(manifest).toBeNull()
  })

  it('expands aliases only so far', () => {
    expect(errors(read(bomb).findings)).toEqual([YAML_RULES.aliases.id])
    expect(errors(read(`a: &a 1\nb: [${'*a, '.repeat(5000)}]\n`).findings)).toEqual([YAML_RULES.aliases.id])
    expect(errors(read('a: &a [*a]\n').findings)[0]).toBe(YAML_RULES.tooDeep.id)
  })

  it('refuses nesting that only grows from line to line', () => {
    const block = Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')
    expect(errors(read(block).findings)).toContain(YAML_RULES.tooDeep.id)
    expect(errors(read('[\n'.repeat(100_000)).findings)).toContain(YAML_RULES.tooDeep.id)
  })

  it('refuses more than a mebibyte before it parses', () => {
    expect(errors(read('a: '.padEnd(1024 * 1024 + 1, 'x')).findings)).toEqual([YAML_RULES.tooLarge.id])
    expect(errors(read(`# ${'x'.repeat(1024 * 1024 - 2)}`).findings)).toEqual([YAML_RULES.empty.id])
  })

  it('refuses bytes that are not UTF-8', () => {
    const bytes = new Uint8Array([0x6d, 0x3a, 0x20, 0xff, 0xfe])
    const { findings, manifest } = read(bytes)
    expect(errors(findings)).toEqual([YAML_RULES.notText.id])
    expect(manifest).toBeNull()
  })

  it('takes a megabyte of keys without choking on it, and names a few', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`).join('\n')
    const unknown = read(many).findings.filter((finding) => finding.rule === 'unknown-field')
    expect(unknown.length).toBe(21)
    expect(unknown.map((finding) => finding.message)).toContain('59,980 more keys are not known here')
  })
})

describe('a file that is a manifest', () => {
  const text = packManifest('worked-example')

  it('may come as bytes, with a byte order mark, CRLF, comments, anchors and merge keys', () => {
    expect(read(new TextEncoder().encode(text)).findings).toEqual([])
    expect(read(`\uFEFF${text}`).findings).toEqual([])
    expect(read(text.replaceAll('\n', '\r\n')).findings).toEqual([])
    const anchored = edited(
      edited(text, '{name: interactive, mix: 0.70', '&one {name: interactive, mix: 0.70'),
      '{name: long_context, mix: 0.20,',
      '{<<: *one, name: long_context, mix: 0.20,',
    )
    expect(read(anchored).findings).toEqual([])
  })

  it('points through an alias and a merge key to where the value stands', () => {
    const source = edited(
      edited(text, 'input_tokens: 1024, output_tokens: 128,', 'input_tokens: §0, output_tokens: 128,'),
      '{name: interactive, mix: 0.70',
      '&one {name: interactive, mix: 0.70',
    )
    const merged = edited(
      source,
      '{name: long_context, mix: 0.20, input_tokens: 8192,',
      '{<<: *one, name: long_context, mix: 0.20,',
    )
    const { text: bad, line, column } = marked(merged)
    const places = read(bad).findings.filter((finding) => finding.rule === 'out-of-range')
    expect(places.map((finding) => [finding.path, finding.line, finding.column])).toEqual([
      ['workload[0].input_tokens', line, column],
      ['workload[1].input_tokens', line, column],
    ])
  })

  it('never throws, and has a manifest exactly when no finding is an error', () => {
    const junk = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '\t',
        '\0',
        '&a',
        '*a',
        '<<: *a',
        '!!x',
        '{',
        '[',
        '"',
        "'",
        '|',
        '>',
        '---',
        '? ',
        ': ',
        '- ',
        '%',
        'null',
        '.nan',
        '.inf',
        '1e999',
        '__proto__: 1',
      ),
    )
    const place = fc.nat({ max: text.length })
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat({ max: 30 }), junk), { minLength: 1, maxLength: 3 }), (edits) => {
        const bad = edits.reduce((t, [at, cut, put]) => t.slice(0, at) + put + t.slice(at + cut), text)
        const { findings, manifest } = read(bad, 'deployable')
        expect(manifest === null).toBe(errors(findings).length > 0)
        for (const { line, column, message, hint } of findings) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
          expect(message.length * hint.length).toBeGreaterThan(0)
          expect(message).not.toMatch(/[\n\0]/)
        }
      }),
      { numRuns: 300 },
    )
  })
})
