import { expect, test } from 'vitest'
import { missingLine } from '../../e2e/docs/shown-output.ts'
import { commandBlocks } from './documented-commands.ts'

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
  expect(block(['```sh', 'a', '```', 'It prints:', '```text', 'b', '```'])?.shown).toBeNull()
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
