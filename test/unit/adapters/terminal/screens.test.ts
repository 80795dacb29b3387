import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { terminalProgress } from '../../../../src/adapters/terminal/progress.ts'
import type { Screen } from '../../../../src/adapters/terminal/screen.ts'
import { painter, wrapped } from '../../../../src/adapters/terminal/typeset.ts'
import { EXIT, GateError } from '../../../../src/core/kernel/errors.ts'
import { typedCommand } from '../../../../src/core/report/next-commands.ts'
import { renderText } from '../../../../src/core/report/text.ts'
import { failureOf, failureText } from '../../../../src/entry/failure.ts'
import { runnerScreen } from '../../../../src/entry/runner-screen.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { CASES } from '../../report/report-fixture.ts'
import { fakeTerminal, logScreen, POINT } from './screen-fixture.ts'

const FOLDER = join(import.meta.dirname, '../../../golden/screens')
const ARGV = [
  'run',
  'workload manifest.yaml',
  '--pack',
  'inference-capacity-pack',
  '--baseline',
  'dir:capacity-baselines',
]
const TYPED = { manifest: 'workload manifest.yaml', argv: ARGV, freshPack: 'inference-capacity-pack-2' }

/** What a run's last point came to, and the verdict that followed. */
const ENDINGS = {
  recorded: 'recorded',
  held: 'held',
  regressed: 'regressed-warm',
  improved: 'improved',
  inconclusive: 'inconclusive-experiment',
  invalid: 'invalid-client',
} as const

/** A run's end as it is said: by its progress, then by its result or its failure. */
function verdictText(ending: keyof typeof ENDINGS, typed: typeof TYPED | null, hasColor: boolean): string {
  const made = CASES[ENDINGS[ending]]?.()
  if (made === undefined) throw new Error('no such case')
  return `${renderText(made, { paint: painter(hasColor), typed })}\n`
}

function interruptionText(): string {
  const hint = `go on at the next point: ${typedCommand([...ARGV, '--resume'])}`
  const error = new GateError({ code: 'interrupted', message: 'interrupted by SIGINT', hint, exitCode: EXIT.sigint })
  return failureText(failureOf(error), false)
}

async function point(screen: Screen, end: string | null, midway?: () => Promise<void>): Promise<void> {
  const clock = fakeClock()
  using progress = terminalProgress(screen, clock)
  progress.note('cold: 1 point on 1 boot, about 22 min')
  progress.warn(
    '16.9 runnable threads over the last minute on 2 CPUs: stop what else runs; whether it disturbs the client, its calibration tells',
  )
  progress.outlook({ point: 1, ofAbout: 2, secondsLeft: 2520, secondsAfterPoint: 1260 })
  progress.note('cold-boot-1: starting vllm 0.32.0')
  await clock.advanceMs(75_000)
  progress.note('cold-boot-1: ready after 75.0 s')
  for (const elapsedSeconds of [-1, 30, 75, 120]) {
    progress.point({ ...POINT, elapsedSeconds, phase: elapsedSeconds < 0 ? 'warm-up' : 'arrivals' })
  }
  await midway?.()
  progress.note(end === null ? 'stopping: what was started is removed' : `cold-open-24000-r1: ${end}`)
}

const forms: Record<string, (end: string | null, text: (typed: boolean, color: boolean) => string) => Promise<string>> =
  {
    'tty-80': (end, text) => terminalForm(80, end, text),
    'tty-200': (end, text) => terminalForm(200, end, text),
    async ci(end, text) {
      const log = logScreen()
      const screen = runnerScreen(log.write)
      await point(screen, end)
      screen.write(text(false, screen.hasColor))
      return log.text()
    },
    async piped(end, text) {
      const log = logScreen()
      await point(log, end)
      return `${log.text()}${text(true, false)}`
    },
  }

async function terminalForm(
  columns: number,
  end: string | null,
  text: (typed: boolean, color: boolean) => string,
): Promise<string> {
  const terminal = fakeTerminal(columns, true)
  const shots: string[] = []
  await point(terminal, end, async () => void shots.push(`${(await terminal.rows()).join('\n')}\n`))
  const said = text(true, true)
  // What failed is written to standard error as it is.
  terminal.write(end === null ? said : wrapped(said, columns))
  expect(await terminal.cursor()).toMatchObject({ column: 0, isHidden: false })
  const rows = await terminal.rows()
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns)
  // Where the run is interrupted stands what it was interrupted in.
  const before = end === null ? `${shots.join('')}${'~'.repeat(columns)}\n` : ''
  return `${before}${rows.join('\n')}\n`
}

test.each(Object.keys(forms))('what a run leaves on the screen, for each ending: %s', async (form) => {
  const shown: string[] = []
  for (const ending of Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]) {
    const text = (typed: boolean, color: boolean) => verdictText(ending, typed ? TYPED : null, color)
    shown.push(`### ${ending}\n${await forms[form]?.(ending === 'invalid' ? 'invalid' : 'pass', text)}`)
  }
  shown.push(`### interrupted\n${await forms[form]?.(null, interruptionText)}`)
  expect(shown.join('\n')).toBe(golden(`${form}.txt`, shown.join('\n')))
})

test('colours are an addition: without them the text is the same', () => {
  for (const ending of Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]) {
    const coloured = verdictText(ending, TYPED, true)
    expect(coloured).toContain('\u001B[3')
    expect(stripVTControlCharacters(coloured)).toBe(verdictText(ending, TYPED, false))
  }
})

/** The file's text, to be equal byte for byte; `UPDATE_GOLDEN=1` first writes it anew, for a reviewer to read. */
function golden(name: string, text: string): string {
  const path = join(FOLDER, name)
  if (env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(path, text)
  }
  return readFileSync(path, 'utf8')
}
