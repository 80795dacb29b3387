import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../../../src/entry/program.ts'
import { cli, root } from './cli-in-process.ts'
import { BEGUN, folder, READ, record, WRITE_FILE, WRITE_FOLDER } from './command-cases.ts'
import type { CommandCase } from './command-cases.ts'

const at = (name: string) => join(folder, name)
const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(at(name), content)
  return at(name)
}

/** What happened, and how to mend it: two lines on standard error, none of them a stack, and nothing where results go. */
const anError = (code: number, says: RegExp) => ({
  code,
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(
      `^(?=[^]*(?:${says.source}))(?!.*the tool itself failed)error: \\S.*[^.\\n]\\nhint: (?![A-Z][a-z]).*[^.\\n]\\n$`,
    ),
  ),
})

const quoted = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
const each = (cases: readonly CommandCase[], bad: readonly (readonly [string, string])[]) =>
  cases.flatMap(([name, args]) => bad.map(([what, path]) => [name, what, args, path] as const))

mkdirSync(at('a-folder'))
symlinkSync(at('loop'), at('loop'))
const bytes = write(
  'binary',
  Uint8Array.from({ length: 512 }, (_, index) => (index * 7) % 256),
)
const BAD: readonly (readonly [what: string, path: string])[] = [
  ['no such file', at('absent')],
  ['a folder', at('a-folder')],
  ['an empty file', write('empty', '')],
  ['bytes that are no text', bytes],
  ['a part of the path that is a file', join(record, 'x')],
  ['links in a circle', at('loop')],
]

/** The exit code of a case, where it is not that of a bad file: a place that holds no pack or history was mistyped. */
function codeOf(name: string, what: string): number {
  if (/^history (compact|page|drift)$/.test(name)) return what === 'no such file' || what === 'a folder' ? 64 : 4
  return /^(report|explain|verify) PACK$/.test(name) && what !== 'a folder' ? 64 : 4
}

/** Of these the answer is a result: what a pack lacks, and which packs do not count. */
const isResult = (name: string, what: string) =>
  name === 'sign-off PACKS' || (name === 'verify PACK' && what === 'a folder')

/** Commands that read a folder, or a place that need not be one file. */
const NO_FILE = /PACKS|PACK$|--sources|history|a baseline/

describe('what a command reads', () => {
  const cases = each(READ, BAD).filter(([name, what]) => !(name === 'verify --sources' && what === 'a folder'))
  it.each(cases.filter(([name, what]) => !isResult(name, what)))('%s: %s', async (name, what, args, path) => {
    // A pack's own files are told by their names inside it.
    const inPack = what === 'a folder' && /PACK|RUN/.test(name)
    const says = inPack ? /the pack has no capacity\.json/ : quoted(path)
    expect(await cli(...args(path))).toMatchObject(anError(codeOf(name, what), says))
  })

  it.each(cases.filter(([name, what]) => isResult(name, what)))('%s: %s', async (_, __, args, path) => {
    const stdout = expect.stringMatching(quoted(basename(path)))
    expect(await cli(...args(path))).toEqual({ code: 4, stderr: '', stdout })
  })

  it.each(READ)('%s: an empty text', async (_, args) => {
    expect(await cli(...args(''))).toMatchObject(anError(64, / is empty\n|names no place|names no test result/))
  })

  // Root reads whatever it likes.
  const guarded = process.getuid?.() === 0 ? [] : READ.filter(([name]) => !NO_FILE.test(name))
  const secret = write('secret', '{}')
  chmodSync(secret, 0)
  it.each(guarded)('%s: a file without the right to read it', async (_, args) => {
    expect(await cli(...args(secret))).toMatchObject(anError(4, /permission denied/))
  })
})

describe('what a command writes', () => {
  beforeAll(() => cli(...BEGUN))
  const below = [
    ['below a file', join(record, 'x')],
    ['where nothing can be made', '/proc/x/y'],
  ] as const
  const full = process.platform === 'linux' ? ([['a full disk', '/dev/full']] as const) : []

  it.each(each(WRITE_FILE, [...below, ...full, ['a folder', at('a-folder')]]))('%s: %s', async (_, __, args, path) => {
    expect(await cli(...args(path))).toMatchObject(anError(1, quoted(path)))
  })

  it.each(each(WRITE_FOLDER, [...below, ['a file', record]]))('%s: %s', async (name, _, args, path) => {
    // Where baselines are kept is read before it is written.
    const code = name === 'promote --to' && !path.startsWith('/proc') ? 4 : 1
    expect(await cli(...args(path))).toMatchObject(anError(code, quoted(path)))
  })

  it.each([...WRITE_FILE, ...WRITE_FOLDER])('%s: an empty text', async (_, args) => {
    expect(await cli(...args(''))).toMatchObject(anError(64, / is empty\n|names no place/))
  })
})

/** Every command that does something, with the words that call it. */
function leaves(command: Command, words: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[words.join(' '), command]]
  return command.commands.flatMap((one) => leaves(one, [...words, one.name()]))
}

describe('misuse', () => {
  const screen = { isTerminal: false, hasColor: false, columns: () => 100, write: () => {} }
  const desk = { inputs: { argv: [], env: {}, cwd: root, screen }, note: () => {}, finish: () => {} }
  const commands = leaves(buildProgram(desk, []))
  const needing = commands.filter(
    ([, { options, registeredArguments }]) =>
      options.some(({ mandatory }) => mandatory) || registeredArguments.some(({ required }) => required),
  )
  const refusing = commands.flatMap(([words, { options }]) =>
    options.flatMap((option) => (refusesWords(option.parseArg) ? [[words, option.long ?? ''] as const] : [])),
  )

  it('is looked for in every command', () => {
    expect([commands.length, needing.length, refusing.length]).toEqual([
      expect.toSatisfy((count: number) => count >= 22),
      expect.toSatisfy((count: number) => count >= 16),
      expect.toSatisfy((count: number) => count >= 20),
    ])
  })

  it.each(commands)('%s: an option that it has not', async (words) => {
    const ended = await cli(...words.split(' '), '--no-such-option')
    const says = new RegExp(`unknown option '--no-such-option'\\nhint: see capacity-gate ${words} --help`)
    expect(ended).toMatchObject(anError(64, says))
  })

  it.each(needing)('%s: without what it needs', async (words) => {
    const says = new RegExp(`(missing required|required option).*\\nhint: .*${words}`)
    expect(await cli(...words.split(' '))).toMatchObject(anError(64, says))
  })

  it.each(refusing)('%s %s: a value that is none', async (words, option) => {
    expect(await cli(...words.split(' '), option, 'no such value')).toMatchObject(anError(64, quoted(option)))
  })

  it.each(refusing)('%s %s: an empty value', async (words, option) => {
    expect(await cli(...words.split(' '), `${option}=`)).toMatchObject(anError(64, quoted(option)))
  })
})

/** Whether an option's value is read as something: a number, a choice, a list. */
function refusesWords(read: ((value: string, before: never) => unknown) | undefined): boolean {
  try {
    read?.('no such value', undefined as never)
    return false
  } catch {
    return true
  }
}
