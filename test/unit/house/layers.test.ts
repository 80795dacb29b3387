import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

interface Finding {
  filename: string
  code: string
}

interface Planted {
  /** The file that is planted, and its one line. */
  file: string
  line: string
}

const root = join(import.meta.dirname, '../../..')

/** Every direction in which the house forbids an import, with the rule that must name it. */
const forbiddenImports: Planted[] = [
  ['src/core/kernel/planted.ts', '../dialect/x.ts'],
  ['src/core/dialect/planted.ts', '../manifest/x.ts'],
  ['src/core/manifest/planted.ts', '../schedule/x.ts'],
  ['src/core/schedule/planted.ts', '../stream/x.ts'],
  ['src/core/stream/planted.ts', '../record/x.ts'],
  ['src/core/record/planted.ts', '../slo/x.ts'],
  ['src/core/slo/planted.ts', '../telemetry/x.ts'],
  ['src/core/telemetry/planted.ts', '../capacity/x.ts'],
  ['src/core/capacity/planted.ts', '../gate/x.ts'],
  ['src/core/gate/planted.ts', '../signoff/x.ts'],
  ['src/core/signoff/planted.ts', '../history/x.ts'],
  ['src/core/history/planted.ts', '../report/x.ts'],
  ['src/core/gate/deep/planted.ts', '../../report/x.ts'],
  ['src/core/report/planted.ts', '../../app/run.ts'],
  ['src/core/report/planted.ts', '../../app/ports/clock.ts'],
  ['src/core/report/planted.ts', '../../adapters/system/clock.ts'],
  ['src/core/report/planted.ts', '../../entry/compose.ts'],
  ['src/core/report/planted.ts', '../../../fixtures/engine/main.ts'],
  ['src/core/report/planted.ts', 'node:fs'],
  ['src/core/report/planted.ts', 'node:crypto'],
  ['src/core/kernel/planted.ts', 'node:crypto'],
  ['src/core/report/planted.ts', '@actions/core'],
  ['src/core/report/planted.ts', '@octokit/rest'],
  ['src/core/stream/planted.ts', 'undici'],
  ['src/core/report/planted.ts', 'execa'],
  ['src/app/planted.ts', 'node:fs/promises'],
  ['src/app/planted.ts', 'zod'],
  ['src/app/planted.ts', '../adapters/store/directory.ts'],
  ['src/app/planted.ts', '../entry/compose.ts'],
  ['src/app/ports/planted.ts', '../run.ts'],
  ['src/app/ports/planted.ts', '../../adapters/system/clock.ts'],
  ['src/app/ports/planted.ts', 'node:stream'],
  ['src/adapters/engine/planted.ts', '../replay/x.ts'],
  ['src/adapters/replay/planted.ts', '../metrics/x.ts'],
  ['src/adapters/system/planted.ts', '../store/x.ts'],
  ['src/adapters/store/planted.ts', '../../app/run.ts'],
  ['src/adapters/store/planted.ts', '../../entry/compose.ts'],
  ['src/adapters/store/planted.ts', '@actions/core'],
  ['src/adapters/store/planted.ts', '@octokit/rest'],
  ['src/adapters/store/planted.ts', 'commander'],
  ['src/adapters/store/planted.ts', 'log-update'],
  ['src/adapters/terminal/planted.ts', 'commander'],
  ['src/adapters/store/planted.ts', '../../../fixtures/engine/main.ts'],
  ['src/entry/planted.ts', '../../fixtures/engine/main.ts'],
  ['src/entry/planted.ts', '../../test/unit/x.ts'],
  ['src/entry/planted.ts', '@octokit/rest'],
  ['fixtures/engine/planted.ts', '../../src/core/stream/x.ts'],
  ['fixtures/engine/planted.ts', 'undici'],
  ['src/core/planted.ts', './kernel/x.ts'],
  ['src/core/newroom/planted.ts', '../kernel/x.ts'],
  ['src/planted.ts', './core/kernel/x.ts'],
].map(([file = '', target]) => ({ file, line: `import { x } from '${target}'\nexport const y = x` }))

const otherForms: Planted[] = [
  `import type { X } from '../gate/x.ts'\nexport type Y = X`,
  `export type { X } from '../gate/x.ts'`,
  `export * from '../gate/x.ts'`,
  `export const x = await import('../gate/x.ts')`,
  `export type Y = import('../gate/x.ts').X`,
  `export const x = (name: string) => import(name)`,
].map((line) => ({ file: 'src/core/slo/planted.ts', line }))

const legal: Planted[] = [
  { file: 'src/core/kernel/hash.ts', line: `import { createHash } from 'node:crypto'\nexport const x = createHash` },
  ...[
    ['src/core/report/planted.ts', '../gate/x.ts'],
    ['src/core/report/planted.ts', '../kernel/x.ts'],
    ['src/core/slo/planted.ts', './x.ts'],
    ['src/core/slo/deep/planted.ts', '../../record/x.ts'],
    ['src/core/record/planted.ts', 'csv-parse/sync'],
    ['src/app/planted.ts', '../core/gate/x.ts'],
    ['src/app/planted.ts', './ports/clock.ts'],
    ['src/app/ports/planted.ts', '../../core/record/x.ts'],
    ['src/adapters/replay/planted.ts', 'undici'],
    ['src/adapters/replay/planted.ts', 'node:worker_threads'],
    ['src/adapters/replay/planted.ts', '../system/clock.ts'],
    ['src/adapters/replay/planted.ts', '../../core/stream/x.ts'],
    ['src/adapters/replay/planted.ts', '../../app/ports/replay.ts'],
    ['src/adapters/github/planted.ts', '@octokit/rest'],
    ['src/adapters/github/planted.ts', '@actions/core'],
    ['src/adapters/terminal/planted.ts', 'log-update'],
    ['src/entry/planted.ts', '@actions/core'],
    ['src/entry/planted.ts', 'commander'],
    ['src/entry/planted.ts', '../adapters/store/x.ts'],
    ['src/entry/planted.ts', '../app/run.ts'],
    ['fixtures/engine/planted.ts', 'node:http'],
    ['fixtures/engine/planted.ts', './model/x.ts'],
    ['test/unit/planted.ts', '../../src/core/report/x.ts'],
  ].map(([file = '', target]) => ({ file, line: `import { x } from '${target}'\nexport const y = x` })),
  { file: 'src/core/report/planted.ts', line: `export const x = new Date('2026-01-01').getTime()` },
  { file: 'src/core/schedule/planted.ts', line: `export const x = Math.floor(2.5)` },
  { file: 'src/core/slo/planted.ts', line: `export const x = Math.log(2)` },
  { file: 'src/adapters/system/planted.ts', line: `export const x = process.env['HOME']` },
  { file: 'src/entry/planted.ts', line: `export const x = process.argv` },
]

const impure: [rule: string, planted: Planted][] = [
  ...[
    'process.pid',
    'performance.now()',
    'console',
    'setTimeout',
    'setInterval',
    'fetch',
    'globalThis.process',
    'crypto.randomUUID()',
  ].flatMap((code): [string, Planted][] => [
    ['eslint(no-restricted-globals)', { file: 'src/core/slo/planted.ts', line: `export const x = ${code}` }],
    ['eslint(no-restricted-globals)', { file: 'src/app/planted.ts', line: `export const x = ${code}` }],
  ]),
  ...['Date.now()', 'new Date()', 'Date()'].map((code): [string, Planted] => [
    'house(clockless)',
    { file: 'src/core/slo/planted.ts', line: `export const x = ${code}` },
  ]),
  ['eslint(no-restricted-properties)', { file: 'src/core/slo/planted.ts', line: 'export const x = Math.random()' }],
  ...['Math.log(2)', 'Math.exp(1)', 'Math.pow(2, 3)', 'Math.sin(1)', 'Math.log1p(1)', '2 ** 0.5'].map(
    (code): [string, Planted] => [
      'house(exact-math)',
      { file: 'src/core/schedule/planted.ts', line: `export const x = ${code}` },
    ],
  ),
  [
    'house(exact-math)',
    { file: 'src/core/schedule/planted.ts', line: 'const { log } = Math\nexport const x = log(2)' },
  ],
  ...['argv', 'env'].map((name): [string, Planted] => [
    'eslint(no-restricted-properties)',
    { file: 'src/adapters/engine/planted.ts', line: `export const x = process.${name}` },
  ]),
  ['eslint(no-console)', { file: 'src/adapters/engine/planted.ts', line: `console.log(1)\nexport const x = 1` }],
  ['typescript(no-explicit-any)', { file: 'src/app/planted.ts', line: 'export const x = (y: any) => y' }],
  ['import(no-default-export)', { file: 'src/app/planted.ts', line: 'export default 1' }],
  [
    'eslint(max-lines)',
    { file: 'src/app/planted.ts', line: Array.from({ length: 251 }, (_, i) => `export const x${i} = ${i}`).join('\n') },
  ],
  [
    'eslint(max-lines-per-function)',
    { file: 'src/app/planted.ts', line: `export function x() {\n${'  x()\n'.repeat(50)}}` },
  ],
  [
    'vitest(no-focused-tests)',
    { file: 'test/planted.test.ts', line: `import { test } from 'vitest'\ntest.only('x', () => {})` },
  ],
  [
    'vitest(no-disabled-tests)',
    { file: 'test/planted.test.ts', line: `import { test } from 'vitest'\ntest.skip('x', () => {})` },
  ],
  [
    'vitest(no-restricted-vi-methods)',
    { file: 'test/planted.test.ts', line: `import { vi } from 'vitest'\nvi.mock('./x.ts')` },
  ],
]

const cycle: Planted[] = [
  { file: 'src/core/slo/a.ts', line: `import { b } from './b.ts'\nexport const a = (): number => b()` },
  { file: 'src/core/slo/b.ts', line: `import { a } from './a.ts'\nexport const b = (): number => a()` },
]

/** The findings of the project's own linter, in a copy of the house that holds these files and nothing else. */
function lint(files: Planted[]): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'house '))
  try {
    for (const name of ['.oxlintrc.json', 'scripts/house.ts']) cpSync(join(root, name), join(folder, name))
    for (const { file, line } of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), `${line}\n`)
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
    const run = spawnSync(process.execPath, [oxlint, '--format=json'], { cwd: folder, encoding: 'utf8' })
    return (JSON.parse(run.stdout) as { diagnostics: Finding[] }).diagnostics
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each planted file under a name of its own, so that one run of the linter sees them all. */
function apart(planted: Planted[], prefix: string): Planted[] {
  return planted.map(({ file, line }, index) => ({ file: file.replace('planted', `${prefix}${index}`), line }))
}

const violations = apart([...forbiddenImports, ...otherForms], 'forbidden')
const offences = apart(
  impure.map(([, planted]) => planted),
  'impure',
).map((planted, index) => ({ ...planted, rule: impure[index]?.[0] ?? '' }))
const lawful = apart(legal, 'legal')

let findings: Map<string, string[]>
beforeAll(() => {
  const all = lint([...violations, ...offences, ...lawful, ...cycle])
  findings = new Map(
    [...Map.groupBy(all, (finding) => finding.filename)].map(([file, of]) => [file, of.map((f) => f.code)]),
  )
})

describe('the layers', () => {
  test.each(violations)('$file: $line', ({ file }) => {
    expect(findings.get(file)).toContain('house(layers)')
  })

  test.each(lawful)('legal: $file: $line', ({ file }) => {
    expect(findings.get(file) ?? []).toEqual([])
  })

  test('two files that import each other', () => {
    expect(findings.get('src/core/slo/a.ts')).toContain('import(no-cycle)')
  })
})

test.each(offences)('$rule: $line', ({ file, rule }) => {
  expect(findings.get(file)).toContain(rule)
})
