import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandBlocks } from '../../unit/docs/documented-commands.ts'
import type { CommandBlock } from '../../unit/docs/documented-commands.ts'
import { pages } from '../../unit/docs/pages.ts'
import { root, scratch } from '../cli/cli-process.ts'
import { NOT_RUN } from './not-run.ts'
import { pageFolder } from './page-folder.ts'
import { runPage } from './page-run.ts'
import { shellSession } from './shell-session.ts'
import { makeStock, subjectOf } from './stock.ts'
import type { Stock } from './stock.ts'

/** Each example of this one stands for itself. */
const EXAMPLES = 'docs/reference/command-line.md'

function byCommand(block: CommandBlock): CommandBlock[][] {
  return block.commands.map((command) => [{ ...block, commands: [command] }])
}

const documented = pages()
  .filter(({ path }) => path !== 'CHANGELOG.md')
  .flatMap((page) => {
    const blocks = commandBlocks(page)
    const parts = page.path === EXAMPLES ? blocks.flatMap(byCommand) : [blocks]
    return parts.map((part) => ({
      path: page.path,
      line: part[0]?.line,
      first: part[0]?.commands[0]?.text,
      blocks: part,
    }))
  })
  .filter(({ blocks }) => blocks.length > 0)
const commands = documented.flatMap(({ blocks }) => blocks.flatMap((block) => block.commands.map(({ text }) => text)))

const folder = scratch()
let stock: Stock
beforeAll(async () => {
  stock = await makeStock(folder)
})
afterAll(async () => {
  await stock[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

describe('every command of the pages', () => {
  it.each(documented)('runs as $path says, from line $line on: $first', async ({ blocks }) => {
    const place = pageFolder(mkdtempSync(join(folder, 'page-')), stock)
    const environment = blocks.some(({ commands }) => commands.some(({ text }) => text.startsWith('gh attestation')))
      ? { DOCS_SUBJECT_SHA256: subjectOf(await stock.pack('held')) }
      : {}
    await using shell = shellSession(place.path, { ...stock.environment, ...environment })
    expect(await runPage({ folder: place, shell, stock }, blocks)).toBeNull()
  })
})

describe('what is not run', () => {
  it.each(NOT_RUN)('$commands stand in a page, and something else sees to them', (listed) => {
    expect(commands).toEqual(expect.arrayContaining([...listed.commands]))
    expect(readFileSync(join(root, listed.coveredBy.file), 'utf8')).toContain(listed.coveredBy.says)
  })
})
