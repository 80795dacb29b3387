import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { CommandBlock, DocumentedCommand } from '../../unit/docs/documented-commands.ts'
import { isNotRun } from './not-run.ts'
import type { PageFolder } from './page-folder.ts'
import type { ShellEnd, ShellSession } from './shell-session.ts'
import { missingLine } from './shown-output.ts'
import { runKind, subjectOf } from './stock.ts'
import type { Stock } from './stock.ts'
import { untilMeasured } from './until-measured.ts'

interface Page {
  folder: PageFolder
  shell: ShellSession
  stock: Stock
}

/** Runs a page's commands in order. What came out otherwise than the page says, with its line; the first one ends it. */
export async function runPage(page: Page, blocks: readonly CommandBlock[]): Promise<string | null> {
  for (const { line, commands, shown } of blocks) {
    let output = ''
    for (const command of commands.filter(({ text }) => !isNotRun(text))) {
      const end = await runOne(page, command)
      output += end.output
      if (![...command.exitCodes, ...byMachine(command.text)].includes(end.code)) return unexpected(line, command, end)
    }
    const missing = shown === null ? null : missingLine(shown, output)
    if (missing !== null) return `line ${line}: it does not print “${missing}” there, but\n${output}`
  }
  return null
}

/** What `doctor` says is about the machine at hand: 3 where something is in the way of a run. */
function byMachine(text: string): number[] {
  return gateWords(wordsOf(text))[0] === 'doctor' ? [3] : []
}

function unexpected(line: number, { text, exitCodes }: DocumentedCommand, { code, output }: ShellEnd): string {
  return `line ${line}: ${text}\nends with ${code}, not ${exitCodes.join(' or ')}:\n${output.slice(-2000)}`
}

async function runOne(page: Page, documented: DocumentedCommand): Promise<ShellEnd> {
  const { folder, shell } = page
  const cwd = (await shell.run('pwd')).output.trim()
  const words = wordsOf(documented.text)
  await folder.provide(words, cwd)
  const text = await substituted(page, documented.text, cwd)
  const gate = gateWords(words)
  const file = (name: string) => (isAbsolute(name) ? name : join(cwd, name))
  if (MEASURING.has(gate[0] ?? '')) await quicken(page, gate, file)
  if (MEASURING.has(gate[0] ?? '')) {
    const target = file(valueOf(gate, '--pack') ?? 'none')
    const isPlain = gate[0] === 'run' && !/[|&;>]/.test(text)
    if (isPlain) return measureOnce(page, { ...documented, text }, gate, target)
    return untilMeasured(target, documented.exitCodes, () => shell.run(text))
  }
  // What stands in the stock is of the embedded engine, which a release must not be.
  return shell.run(gate[0] === 'sign-off' ? `${text} --allow-simulated` : text)
}

/** Measures, or takes what a run of the same kind measured: that one is then run as documented up to its plan. */
async function measureOnce(
  { shell, stock }: Page,
  { text, exitCodes }: DocumentedCommand,
  args: readonly string[],
  target: string,
): Promise<ShellEnd> {
  const kind = runKind({
    plan: valueOf(args, '--plan') ?? 'confirm',
    hasBaseline: args.includes('--baseline'),
    isSlower: args.includes('--subject'),
    cache: valueOf(args, '--cache') ?? 'cold,warm',
  })
  const known = stock.runs.get(kind)
  if (known === undefined) return stock.keep(kind, exitCodes, target, () => shell.run(text))
  const planned = await shell.run(`${text} --budget-minutes 0.001`)
  if (!planned.output.includes('more than the budget of 0.001 min')) return planned
  cpSync(known.pack, target, { recursive: true })
  return known
}

const MEASURING: ReadonlySet<string> = new Set(['run', 'replay', 'calibrate'])

/** A manifest that a page or `init` wrote must be one that can be run, and is then replaced: no page waits for its real minutes. */
async function quicken({ stock, shell }: Page, gate: readonly string[], file: (name: string) => string): Promise<void> {
  const [, manifest] = gate
  const subject = valueOf(gate, '--subject')
  if (subject !== undefined) writeFileSync(file(subject), stock.slowerSubject)
  if (manifest === undefined || !/^[\w.-]+\.yaml$/.test(manifest)) return
  const path = file(manifest)
  if (readFileSync(path, 'utf8') === stock.manifest) return
  const { code, output } = await shell.run(`command capacity-gate lint '${path}' --deployable`)
  if (code !== 0) throw new Error(`${manifest} cannot be run:\n${output}`)
  writeFileSync(path, stock.manifest)
}

/** What stands in a page for the reader's own. */
async function substituted({ folder, stock, shell }: Page, text: string, cwd: string): Promise<string> {
  const values: [RegExp, string | (() => Promise<string>)][] = [
    [/(?<![\w.])\/tmp\//g, `${join(folder.path, 'tmp')}/`],
    [/\/opt\/capacity-gate/g, stock.clone],
    [/http:\/\/127\.0\.0\.1:8000|\bURL\b/g, () => stock.engineUrl()],
    [/--rate (?:8|20)\b/g, '--rate 24'],
    [/(?<=--subject )sha256:…/g, async () => `sha256:${subjectOf(await stock.pack('held'))}`],
    [/(?:0123456789abcdef){4}/g, async () => subjectOf(await stock.pack('held'))],
    [/measured\/dense-70b-8xh100\/(\w+)\/[\w./-]+\.json/g, ''],
    [/\bMANIFEST\b/g, 'workload-manifest.yaml'],
    [/\bPACK\b/g, 'pack'],
    [/\bTRACE\b/g, 'trace.jsonl'],
    [/\bDIGEST\b/g, 'd'.repeat(64)],
    [/\bCOMMIT\b/g, 'c'.repeat(40)],
    [/\bREF\b/g, 'dir:capacity-baselines'],
  ]
  let result = text
  for (const [pattern, value] of values) {
    if (!pattern.test(result)) continue
    const kept = /\/(promotions|records)\//.exec(result)?.[1]
    const found = value === '' ? await keptFile(shell, kept ?? '') : typeof value === 'string' ? value : await value()
    result = result.replaceAll(pattern, found)
  }
  await folder.provide(wordsOf(result), cwd)
  return result
}

/** The path on the branch of baselines of something that was promoted. */
async function keptFile(shell: ShellSession, kind: string): Promise<string> {
  const { output } = await shell.run('git fetch -q origin capacity-baselines && git ls-tree -r --name-only FETCH_HEAD')
  return output.split('\n').find((name) => name.includes(`/${kind}/`)) ?? `nothing under ${kind}`
}

function wordsOf(text: string): string[] {
  const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  return words.map((word) => word.replaceAll(/^["']|["']$/g, ''))
}

/** The command and what it is given, however Capacity Gate is called; empty where it is not. */
function gateWords(words: readonly string[]): string[] {
  const start = words.findIndex((word) => word === 'capacity-gate' || word.endsWith('/dist/cli.js'))
  if (start >= 0) return words.slice(start + 1)
  return words[0] === 'npm' && words.includes('gate') ? words.slice(words.indexOf('--') + 1) : []
}

function valueOf(words: readonly string[], option: string): string | undefined {
  const index = words.indexOf(option)
  return index < 0 ? undefined : words[index + 1]
}
