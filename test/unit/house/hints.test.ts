import { readFileSync } from 'node:fs'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorHint } from '../../../src/core/manifest/finding.ts'

const src = join(import.meta.dirname, '../../../src')

/** Rules, whose mends are sentences of their own; what of them becomes an error goes through `errorHint`. */
const FINDINGS = /core\/manifest\/|core\/gate\/accepted\/|core\/signoff\/policy\.ts$/

/** Every literal that stands as a hint: after `hint:`, or as the argument after the message of a file's own refusal. */
function hintsIn(source: string): string[] {
  const literal = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|\`((?:[^\`\\]|\\.)*)\`)`
  const named = [...source.matchAll(new RegExp(String.raw`\bhint(?::|\s=)\s+${literal}`, 'g'))]
  const calls = /\b(?:refusal|refuse|invalid|usage|misuse|refused|malformed)\(/g
  const passed = [...source.matchAll(calls)].flatMap(({ index }) => {
    const call = argumentsAt(source, source.indexOf('(', index))
    const last = call.findLast((argument) => new RegExp(`^${literal}$`).test(argument))
    return last !== undefined && call.indexOf(last) > 0 && call.filter((one) => /^['`]/.test(one)).length > 1
      ? [last.slice(1, -1)]
      : []
  })
  return [...named.map(([, single, template]) => single ?? template ?? ''), ...passed]
}

/** The arguments of a call, split at its own commas. */
function argumentsAt(source: string, open: number): string[] {
  const found: string[] = []
  let [depth, start, quote] = [0, open + 1, '']
  for (let at = open; at < source.length; at += 1) {
    const char = source[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at += 1
      else if (char === quote) quote = ''
      continue
    }
    if (char === "'" || char === '`') quote = char
    else if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    if ((char === ',' && depth === 1) || depth === 0) {
      found.push(source.slice(start, at).trim())
      start = at + 1
      if (depth === 0) return found
    }
  }
  return found
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const hints = files
  .filter((path) => !FINDINGS.test(path) && /GateError|usage\(/.test(readFileSync(join(src, path), 'utf8')))
  .flatMap((path) => hintsIn(readFileSync(join(src, path), 'utf8')).map((hint) => [path, hint] as const))

test('a hint goes on after its colon: no capital word first, no full stop last', () => {
  expect(hints.length).toBeGreaterThan(150)
  expect(hints.filter(([, hint]) => /^[A-Z][a-z]|^[A-Z] |\.$/.test(hint))).toEqual([])
})

test('a finding’s mend becomes such a hint', () => {
  const of = (hint: string) => errorHint({ hint })
  expect(of('Make them equal.')).toBe('make them equal')
  expect(of('A rate is a number.')).toBe('a rate is a number')
  expect(of('Did you mean `mix`?')).toBe('did you mean `mix`?')
  expect(of('`mix` belongs in `workload`.')).toBe('`mix` belongs in `workload`')
  expect(of('JSON cannot say it.')).toBe('JSON cannot say it')
})
