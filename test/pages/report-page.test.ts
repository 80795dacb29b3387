import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageInput } from '../../src/core/report/page/facts.ts'
import { commonPage, hostilePage, largestPage, pageOf } from '../unit/report/page/page-fixture.ts'

/** `PAGES_SHOTS` names a folder in which the pictures stay, to be looked at. */
const shots = env['PAGES_SHOTS']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const MORE = ['--disable-component-update', '--disable-sync']

let browser: Browser
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gate-pages-'))
  browser = await chromium.launch({ executablePath: env['PAGES_BROWSER'] ?? 'chromium', args: [...QUIET, ...MORE] })
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Opened extends AsyncDisposable {
  page: Page
  /** What the page said that it should not have, and what it asked for. */
  complaints: string[]
}

async function open(file: string, width: number, colorScheme: 'light' | 'dark'): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  const url = pathToFileURL(file).href
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  page.on('request', (request) => request.url() !== url && complaints.push(request.url()))
  await page.goto(url, { timeout: 240_000 })
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** Rules that axe finds broken, with the first place of each. */
function violations(page: Page): Promise<string[]> {
  const find = `${axe}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`
  return page.evaluate<string[]>(find)
}

const PAGES: Readonly<Record<string, () => PageInput>> = {
  common: commonPage,
  hostile: hostilePage,
  largest: largestPage,
}
const VIEWS = [
  [360, 'light'],
  [390, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const

describe.each(Object.entries(PAGES))('%s', (name, make) => {
  let file = ''
  beforeAll(() => {
    file = join(folder, `${name}.html`)
    writeFileSync(file, pageOf(make()))
  })

  test.each(VIEWS)(
    'at %i pixels, %s: nothing is asked for or complained of, and nothing sticks out',
    async (width, scheme) => {
      await using opened = await open(file, width, scheme)
      const { page, complaints } = opened
      if (shots !== undefined)
        await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`), fullPage: name !== 'largest' })
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(complaints).toEqual([])
    },
  )

  test.each(['light', 'dark'] as const)('%s: axe finds nothing', async (scheme) => {
    await using opened = await open(file, 1440, scheme)
    expect(await violations(opened.page)).toEqual([])
  })

  test('prints', async () => {
    await using opened = await open(file, 1440, 'dark')
    const pdf = await opened.page.pdf({ format: 'A4' })
    if (shots !== undefined) writeFileSync(join(shots, `${name}.pdf`), pdf)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })
})

test('on paper folded parts stand open, and nothing sticks out of the page', async () => {
  const file = join(folder, 'paper.html')
  writeFileSync(file, pageOf(commonPage()))
  await using opened = await open(file, 718, 'dark')
  const { page } = opened
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(718)
  const folded = `[...document.querySelectorAll('details > table, details > .wide, details > pre, details > svg')]`
  const unseen = `${folded}.filter((each) => !each.checkVisibility()).length`
  expect(await page.evaluate<number>(`${folded}.length`)).toBeGreaterThan(5)
  expect(await page.evaluate<number>(unseen)).toBe(0)
  await page.emulateMedia({ media: 'screen' })
  expect(await page.evaluate<number>(unseen)).toBeGreaterThan(5)
})

test('the keyboard reaches the contents, each folded part and each table that scrolls', async () => {
  const file = join(folder, 'keyboard.html')
  writeFileSync(file, pageOf(commonPage()))
  await using opened = await open(file, 390, 'light')
  const { page } = opened
  const [reached, wanted] = [new Set<string>(), 'summary, .wide, nav a'] as const
  const count = await page.evaluate<number>(
    `[...document.querySelectorAll(${JSON.stringify(wanted)})].filter((each) => each.checkVisibility()).length`,
  )
  for (let step = 0; step < count + 5; step += 1) {
    await page.keyboard.press('Tab')
    reached.add(
      await page.evaluate<string>(
        `String([...document.querySelectorAll(${JSON.stringify(wanted)})].indexOf(document.activeElement))`,
      ),
    )
  }
  reached.delete('-1')
  expect(reached.size).toBe(count)
})
