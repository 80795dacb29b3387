import { expect, it } from 'vitest'
import { terminalProgress } from '../../../../src/adapters/terminal/progress.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { fakeTerminal, logScreen, POINT } from './screen-fixture.ts'

const OUTLOOK = { point: 2, ofAbout: 5, secondsLeft: 2520, secondsAfterPoint: 1700 }

function log() {
  const [screen, clock] = [logScreen(), fakeClock()]
  return {
    clock,
    text: screen.text,
    lines: () => screen.text().split('\n').slice(0, -1),
    progress: terminalProgress(screen, clock),
  }
}

function live(columns: number, hasColor = false) {
  const [terminal, clock] = [fakeTerminal(columns, hasColor), fakeClock()]
  return { clock, terminal, progress: terminalProgress(terminal, clock) }
}

const NARROW = [
  'cold-open-24000-r1 · 24 RPS · arrivals 1:15 of 15:14 · ━───────────────────',
  '  sent 1810 · ended 1690 · errors 4 · in flight 120',
  '  attained long_context 95.3 %, interactive 98.2 %, generation_heavy –',
]

it('says on one line of a log what a point is at, its requests, its classes and what is left of the run', () => {
  const { progress, text } = log()
  progress.outlook(OUTLOOK)
  progress.point({ ...POINT, backlog: 3 })
  expect(text()).toBe(
    'cold-open-24000-r1 · 24 RPS · arrivals 1:15 of 15:14 · sent 1810 · ended 1690 · errors 4 · in flight 120 · late 3 · attained long_context 95.3 %, interactive 98.2 %, generation_heavy – · point 2 of about 5 · about 42 min left\n',
  )
})

it('writes a line of one point a minute at most, its last one, and at once for the next point', () => {
  const { progress, lines } = log()
  for (let second = -10; second <= 130; second += 1)
    progress.point({ ...POINT, elapsedSeconds: second, phase: second < 0 ? 'warm-up' : 'arrivals' })
  progress.point({ ...POINT, point: 'warm-open-24000-r1', elapsedSeconds: 0 })
  expect(lines().map((line) => line.split(' · ')[2])).toEqual([
    'warm-up',
    'arrivals 0:50 of 15:14',
    'arrivals 1:50 of 15:14',
    'arrivals 2:10 of 15:14',
    'arrivals 0:00 of 15:14',
  ])
})

it.each<[string, (progress: ReturnType<typeof log>['progress']) => void, string]>([
  ['a note', (progress) => progress.note('pass'), 'pass'],
  ['a warning', (progress) => progress.warn('late'), 'warning: late'],
  ['the end', (progress) => progress[Symbol.dispose](), ''],
])('shows how a short point ended before %s, and once', (_, say, said) => {
  const { progress, lines } = log()
  progress.point({ ...POINT, elapsedSeconds: 0 })
  progress.point({ ...POINT, elapsedSeconds: 1, resolved: 5 })
  progress.point({ ...POINT, elapsedSeconds: 2, resolved: 9 })
  say(progress)
  progress[Symbol.dispose]()
  expect(lines()[1]).toMatch(/ 0:02 of .* ended 9 /)
  expect(lines().slice(2)).toEqual(said === '' ? [] : [said])
})

it('says once a minute in a log that what takes long goes on, and nothing once it is over', async () => {
  const { progress, clock, lines } = log()
  progress.note('cold-boot-1: starting vllm 0.32.0')
  await clock.advanceMs(150_000)
  progress.note('cold-boot-1: ready after 150.0 s')
  await clock.advanceMs(30_000)
  progress[Symbol.dispose]()
  await clock.advanceMs(600_000)
  expect(lines()).toEqual([
    'cold-boot-1: starting vllm 0.32.0',
    'still running, 1:00 after: cold-boot-1: starting vllm 0.32.0',
    'still running, 2:00 after: cold-boot-1: starting vllm 0.32.0',
    'cold-boot-1: ready after 150.0 s',
  ])
  expect(clock.sleeping).toBe(0)
})

it('draws a point in place on a terminal, what stays above it, and leaves nothing of it behind', async () => {
  const { progress, terminal } = live(80)
  progress.note('cold-open-24000-r1: declared rate')
  progress.point({ ...POINT, inFlight: 119 })
  progress.point(POINT)
  expect(await terminal.rows()).toEqual(['cold-open-24000-r1: declared rate', ...NARROW])
  progress.note('cold-open-24000-r1: pass')
  expect(await terminal.rows()).toEqual(['cold-open-24000-r1: declared rate', 'cold-open-24000-r1: pass'])
  progress.point(POINT)
  progress[Symbol.dispose]()
  expect(await terminal.rows()).toEqual(['cold-open-24000-r1: declared rate', 'cold-open-24000-r1: pass'])
  expect(await terminal.cursor()).toEqual({ row: 3, column: 0, isHidden: false })
})

it('counts on a terminal the seconds of what is no point, and down what is left of the run', async () => {
  const { progress, terminal, clock } = live(80)
  progress.outlook(OUTLOOK)
  progress.note('cold-boot-1: starting vllm 0.32.0')
  await clock.advanceMs(61_000)
  expect((await terminal.rows()).slice(1)).toEqual(['… 1:01', '  point 2 of about 5 · about 41 min left'])
  // However long a point takes: the points after it are still to come.
  await clock.advanceMs(7_200_000)
  expect((await terminal.rows()).slice(1)).toEqual(['… 121:01', '  point 2 of about 5 · about 29 min left'])
  progress.outlook(null)
  await clock.advanceMs(1000)
  expect((await terminal.rows()).slice(1)).toEqual(['… 121:02'])
  progress[Symbol.dispose]()
})

it.each([
  [80, 40],
  [80, 20],
  [200, 60],
  [40, 120],
])('leaves no rest of a point behind where a terminal of %i columns becomes one of %i', async (before, after) => {
  const { progress, terminal } = live(before)
  progress.note('a note that stays')
  progress.outlook(OUTLOOK)
  progress.point(POINT)
  terminal.resize(after)
  progress.point({ ...POINT, inFlight: 7 })
  const rows = await terminal.rows()
  expect(rows).toHaveLength(5)
  expect(rows[0]).toBe('a note that stays')
  expect(rows.join('\n').match(/cold-open/g)).toHaveLength(1)
  for (const row of rows) expect(row.length).toBeLessThan(after)
  progress[Symbol.dispose]()
  expect(await terminal.rows()).toEqual(['a note that stays'])
})

it('keeps lines with wide characters inside a terminal', async () => {
  const { progress, terminal } = live(40)
  progress.point({ ...POINT, point: '容量'.repeat(20), attainment: { '👩🏽‍🚀長い文脈のクラス名がここにあります': 0.5 } })
  const rows = await terminal.rows()
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatch(/^(容量)+容?…$/)
  expect(rows[2]).toMatch(/…$/)
  progress[Symbol.dispose]()
})

it('wraps what stays at words, further in than it began', async () => {
  const { progress, terminal } = live(40)
  progress.warn('16.9 runnable threads over the last minute on 2 CPUs: stop what else runs')
  expect(await terminal.rows()).toEqual([
    'warning: 16.9 runnable threads over the',
    '    last minute on 2 CPUs: stop what',
    '    else runs',
  ])
  progress[Symbol.dispose]()
})

it('colours nothing where no colours are wanted', () => {
  const plain = live(80)
  plain.progress.warn('the disk is nearly full')
  plain.progress.point(POINT)
  for (const style of ['1m', '2m', '33m']) expect(plain.terminal.raw()).not.toContain(`\u001B[${style}`)
  const colourful = live(80, true)
  colourful.progress.warn('the disk is nearly full')
  expect(colourful.terminal.raw()).toContain('\u001B[33m')
})

const hostile = 'a\u001B[2J\u001B]0;title\u0007b\r\nerror: fake\u202e'

it('lets no name move a terminal’s cursor or begin a line of its own', async () => {
  const { progress, terminal } = live(300)
  progress.note(hostile)
  progress.warn(hostile)
  progress.point({ ...POINT, point: hostile, attainment: { [hostile]: 1 } })
  for (const bad of ['\u001B[2J', '\u001B]0', '\u0007', '\r', '\nerror', '\u202e'])
    expect(terminal.raw()).not.toContain(bad)
  expect(await terminal.rows()).toHaveLength(5)
  progress[Symbol.dispose]()
})

it('moves no cursor in a log, whatever a name is', () => {
  const { progress, text } = log()
  progress.outlook(OUTLOOK)
  progress.note(hostile)
  progress.point({ ...POINT, point: hostile, attainment: { [hostile]: 1 } })
  progress[Symbol.dispose]()
  expect(text().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(text().split('\n')).toHaveLength(3)
})
