// What the largest report.html costs: 40 classes at 200 points beside a baseline of the same size. Rendering as a ratio to writing its record
// as JSON once; opening, where there is a Chromium, as its main thread's own seconds until the page is painted, beside those of an empty page
// and of a common report. They leave out what other programs took of the machine.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { commonPage, largestPage, pageOf } from '../test/unit/report/page/page-fixture.ts'

const ROUNDS = 5
const GOAL_BYTES = 5_000_000
const GOAL_SECONDS = 1

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function seconds(work: () => unknown): number {
  const start = performance.now()
  work()
  return (performance.now() - start) / 1000
}

const input = largestPage()
const html = pageOf(input)
const pairs = Array.from({ length: ROUNDS }, () => ({
  page: seconds(() => pageOf(input)),
  json: seconds(() => JSON.stringify(input.record, null, 2)),
}))
const rendering = median(pairs.map(({ page }) => page))
const ratio = median(pairs.map(({ page, json }) => page / json))
const elements = html.match(/<[a-z]/g)?.length ?? 0
const size = Buffer.byteLength(html)
console.log(`${(size / 1e6).toFixed(2)} MB (goal: under ${GOAL_BYTES / 1e6}), ${elements} elements`)
console.log(`rendered in ${rendering.toFixed(2)} s: ${ratio.toFixed(1)} × writing its record as JSON`)

/** Seconds that the page's main thread worked until a frame was drawn, and what passed until then. */
async function opened(browser: Browser, file: string): Promise<{ own: number; passed: number }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const start = performance.now()
  await page.goto(pathToFileURL(file).href, { timeout: 120_000 })
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
  const passed = (performance.now() - start) / 1000
  const { metrics } = await session.send('Performance.getMetrics')
  await context.close()
  return { own: metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN, passed }
}

async function opening(executablePath: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'report-page-'))
  const pages = {
    'an empty page': '<!doctype html><title>empty</title>',
    'a common report': pageOf(commonPage()),
    'the largest report': html,
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const found = new Map<string, { own: number; passed: number }[]>()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, text] of Object.entries(pages)) {
        const file = join(folder, 'page.html')
        writeFileSync(file, text)
        found.set(name, [...(found.get(name) ?? []), await opened(browser, file)])
      }
    }
    for (const [name, runs] of found) {
      const [own, passed] = [median(runs.map((run) => run.own)), median(runs.map((run) => run.passed))]
      console.log(`opening ${name}: ${own.toFixed(3)} s of the page’s own, ${passed.toFixed(2)} s passed`)
    }
    console.log(`goal: the largest within ${GOAL_SECONDS} s on a machine with nothing else to do`)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync('which', [name]).status === 0,
)
if (browser === undefined) console.log('opening: not measured, there is no Chromium')
else await opening(spawnSync('which', [browser], { encoding: 'utf8' }).stdout.trim())
