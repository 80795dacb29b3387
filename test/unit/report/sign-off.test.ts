import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderSignOff, signOffText } from '../../../src/core/report/sign-off.ts'
import { decideSignOff } from '../../../src/core/signoff/decide.ts'
import type { SignOffInput } from '../../../src/core/signoff/gather.ts'
import { DEFAULT_POLICY } from '../../../src/core/signoff/policy.ts'
import { predicateJson, signOffPredicate } from '../../../src/core/signoff/predicate.ts'
import { heldCandidate } from '../gate/record-fixture.ts'
import { drill, input, lostCold, pack, waiver } from '../signoff/sign-off-fixture.ts'
import { cellsOf, wrongIn } from './markdown-oracle.ts'

const FOLDER = join(import.meta.dirname, '../../golden/sign-off')
const RUN = 'https://github.com/acme/engine/actions/runs/18'

/** The file's text, to be equal byte for byte; `UPDATE_GOLDEN=1` first writes it anew, for a reviewer to read. */
function golden(name: string, text: string): string {
  const path = join(FOLDER, name)
  if (env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(path, text)
  }
  return readFileSync(path, 'utf8')
}

const made = (over: Partial<SignOffInput>) => signOffPredicate(decideSignOff(input(over)), '0.1.0', RUN)
const all = { ...DEFAULT_POLICY, requires: ['cold' as const, 'warm' as const, 'drill' as const, 'parity' as const] }

const CASES: Record<string, Partial<SignOffInput>> = {
  passed: {
    approval: { environment: 'release', by: ['grace', 'linus'] },
    packsFrom: { url: RUN.replace('18', '17'), event: 'push', branch: 'main', commit: 'f'.repeat(40) },
  },
  waived: {
    policy: {
      ...all,
      waivers: [waiver(), waiver({ requirement: 'parity', by: 'grace', reason: 'no reference is at hand yet' })],
    },
    packs: [pack(lostCold())],
    tests: [drill()],
  },
  failed: {
    policy: all,
    packs: [pack(lostCold())],
    tests: [drill({ predicate: { result: 'FAILED', configuration: [], failedTests: ['kill one replica'] } })],
  },
  refused: {
    packs: [pack(heldCandidate(), { faults: ['verdict.json does not follow from the points'] })],
    policySha256: null,
    accepted: null,
  },
}

test.each(Object.entries(CASES))('the record of a sign-off that is %s', (name, over) => {
  const predicate = made(over)
  const [json, markdown, text] = [predicateJson(predicate), renderSignOff(predicate), `${signOffText(predicate)}\n`]
  expect(json).toBe(golden(`${name}.json`, json))
  expect(markdown).toBe(golden(`${name}.md`, markdown))
  expect(text).toBe(golden(`${name}.txt`, text))
})

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '@acme/owners',
    'fixes #1',
    '</details><script>alert(1)</script>',
    '![x](https://evil.example/p.png)',
    '| a | b |',
    '<!-- capacity-gate:x: -->',
    '::set-output name=sign-off::passed',
    '\u202Egnp.exe',
    'a'.repeat(10_000),
    '\u001B[2J\u001B[1;1H',
    '## ✅ Signed off',
  ),
)

test('nothing from packs, policy or other tools is more than text', () => {
  const { verdict } = pack(lostCold())
  fc.assert(
    fc.property(
      fc.array(HOSTILE, { minLength: 8, maxLength: 8 }),
      ([by = '', reason = '', source = '', fault = '', name = '', version = '', test = '', reviewer = '']) => {
        const candidate = lostCold()
        const subject = { ...candidate.subject, name, version, image: source }
        const packs = [
          pack({ ...candidate, gateId: name, subject }, { source, verdict }),
          pack(heldCandidate(), { source: fault, faults: [fault], verdict }),
        ]
        const policy = { ...all, waivers: [waiver({ by, reason })] }
        const tests = [drill({ source: test, predicate: { result: 'FAILED', configuration: [], failedTests: [test] } })]
        const predicate = made({ packs, policy, tests, approval: { environment: name, by: [reviewer] } })
        const markdown = renderSignOff(predicate)
        expect(wrongIn(markdown)).toEqual([])
        const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
        expect(new Set(rows.map(cellsOf))).toEqual(new Set([4]))
        expect(markdown.match(/^## /gm)).toHaveLength(1)
        expect(signOffText(predicate).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202A-\u202E]/u)
        expect(JSON.parse(predicateJson(predicate))).toMatchObject({ result: 'FAILED' })
      },
    ),
    { numRuns: 100 },
  )
})
