import { expect, test } from 'vitest'
import { missingLine } from '../../e2e/docs/shown-output.ts'
import { untilMeasured } from '../../e2e/docs/until-measured.ts'
import { commandBlocks, unreadCode } from './documented-commands.ts'
import { pages } from './pages.ts'

const texts = (text: string) =>
  commandBlocks({ path: 'a.md', text }).flatMap(({ commands }) => commands.map((command) => command.text))

test('commands are found in fences, in lists and quotations, and in sentences, in their order', () => {
  const text = [
    'First `capacity-gate verify PACK`.',
    '```sh',
    'capacity-gate lint a.yaml \\',
    '  --deployable',
    '```',
    '1. A step',
    '',
    '   ```sh',
    '   npm test',
    '   ```',
    '> ```sh',
    '> capacity-gate clean',
    '> ```',
    '```yaml',
    'a: `capacity-gate run`',
    '```',
  ].join('\n')
  expect(texts(text)).toEqual([
    'capacity-gate verify PACK',
    'capacity-gate lint a.yaml --deployable',
    'npm test',
    'capacity-gate clean',
  ])
})

test('a command in a sentence may go over the line’s end, and begin with an option or a variable', () => {
  expect(
    texts('Do `capacity-gate lint\n  MANIFEST`, `capacity-gate --version`, `NO_COLOR=1 capacity-gate doctor`.'),
  ).toEqual(['capacity-gate lint MANIFEST', 'capacity-gate --version', 'NO_COLOR=1 capacity-gate doctor'])
})

test.each(pages().map((entry) => [entry.path, entry] as const))(
  'every command of %s is where it is read',
  (_path, entry) => {
    expect(unreadCode(entry)).toEqual([])
  },
)

test.each([
  ['~~~sh\nnpm test\n~~~'],
  ['````sh\nnpm test\n````'],
  ['- ```sh\n  npm test\n  ```'],
  ['> 1. a\n>\n>    ```sh\n>    npm test\n>    ```'],
  ['```\nnpm test\n```'],
  ['```\n$ capacity-gate lint a\n```'],
  ['```shell-session\nnpm test\n```'],
  ['a:\n\n    npm test'],
  ['<pre>npm test</pre>'],
])('a command that would not be read is found: %s', (text) => {
  expect(unreadCode({ path: 'a.md', text })).not.toEqual([])
})

test('a name in a sentence is no command', () => {
  const names = [
    '`npm run gate -- COMMAND`',
    '`capacity-gate …`',
    '`capacity-gate`',
    '`git push`',
    '`gh attestation verify`',
  ]
  expect(texts(names.join(' '))).toEqual([])
})

test('a page says how a command ends, and what it prints', () => {
  const block = (lines: string[]) => commandBlocks({ path: 'a.md', text: lines.join('\n') })[0]
  expect(block(['```sh', 'a # exit code 2', 'b # exit code 3 where it is busy', 'c', '```'])?.commands).toEqual([
    { text: 'a', exitCodes: [2] },
    { text: 'b', exitCodes: [0, 3] },
    { text: 'c', exitCodes: [0] },
  ])
  expect(block(['```sh', 'a', '```', '', '```text measured', 'b', '```'])?.shown).toEqual({
    lines: ['b'],
    isMeasured: true,
  })
  const shown = { lines: ['b'], isMeasured: false }
  expect(block(['```sh', 'a', '```', 'It prints:', '```text', 'b', '```'])?.shown).toEqual(shown)
  expect(block(['```sh', 'a', '```', '## Another', '```text', 'b', '```'])?.shown).toBeNull()
  expect(block(['```sh', 'a', '```', 'As in:', '```', 'b', '```'])?.shown).toBeNull()
})

test('a line that is shown and was not printed in its place is found', () => {
  const shown = (...lines: string[]) => ({ lines, isMeasured: false })
  expect(missingLine(shown('a', '…', 'c 1'), 'a\nb\nc  1\n')).toBeNull()
  expect(missingLine(shown('held: … RPS'), 'held: 12 of 13 RPS')).toBeNull()
  expect(missingLine(shown('c', 'a'), 'a\nc')).toBe('a')
  expect(missingLine(shown('carries 24 RPS'), 'carries 25 RPS')).toBe('carries 24 RPS')
  expect(missingLine({ lines: ['carries 24 RPS (−3.1 %)'], isMeasured: true }, 'carries 25.5 RPS (+2 %)')).toBeNull()
  expect(missingLine({ lines: ['cold held'], isMeasured: true }, 'cold regressed')).toBe('cold held')
})

test.each([
  ['a verdict that was to come, at once', [2], [2], 1],
  ['a wrong verdict, at once', [0], [2], 1],
  ['a loss that was not seen, at once', [2], [0], 1],
  ['a failure, at once', [0], [1], 1],
  ['the verdict after a measurement that was spoilt', [0], [4, 3, 0], 3],
  ['a wrong verdict after one, too', [0], [3, 2, 0], 2],
  ['a third measurement that was spoilt', [0], [3, 3, 3, 0], 3],
])('a run of a page ends with %s', async (_what, right, codes, runs) => {
  let at = 0
  const end = await untilMeasured('nowhere/pack', right, async () => ({ code: codes[at++] ?? -1, output: '' }))
  expect([end.code, at]).toEqual([codes[runs - 1], runs])
})
