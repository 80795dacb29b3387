import { expect, it } from 'vitest'
import { stripVTControlCharacters } from 'node:util'
import { terminalProgress } from '../../../../src/adapters/terminal/progress.ts'
import type { PointProgress } from '../../../../src/app/ports/progress.ts'

const state: PointProgress = {
  point: 'cold-open-24000-r1',
  rateRps: 24,
  elapsedSeconds: 75.4,
  remainingSeconds: 839,
  sent: 1810,
  resolved: 1690,
  inFlight: 120,
  backlog: 3,
  attainment: { interactive: 0.982, generation_heavy: null },
}

function screen(over: { isTerminal?: boolean; hasColor?: boolean; columns?: number } = {}) {
  const written: string[] = []
  const { isTerminal = false, hasColor = false, columns = 80 } = over
  return {
    written,
    text: () => written.join(''),
    progress: terminalProgress({
      isTerminal,
      hasColor,
      columns: () => columns,
      write: (text) => void written.push(text),
    }),
  }
}

it('says on a plain line the rate, the time left, what is in flight and queued, and each class’s attainment', () => {
  const { progress, text } = screen()
  progress.point(state)
  expect(text()).toBe(
    'cold-open-24000-r1 · 24 RPS · 1:15, 13:59 left · in flight 120 · queue 3 · attainment interactive 98.2 %, generation_heavy – · done 1690 of 1810 sent\n',
  )
})

it('writes a plain line of one point every ten seconds at most, its last one, and at once for the next point', () => {
  const { progress, written } = screen()
  for (let second = 0; second <= 25; second++) progress.point({ ...state, elapsedSeconds: second })
  progress.point({ ...state, point: 'warm-open-24000-r1', elapsedSeconds: 0 })
  expect(written.map((line) => line.split(' · ')[2])).toEqual([
    '0:00, 13:59 left',
    '0:10, 13:59 left',
    '0:20, 13:59 left',
    '0:25, 13:59 left',
    '0:00, 13:59 left',
  ])
})

it.each<[string, (progress: ReturnType<typeof screen>['progress']) => void, string]>([
  ['a note', (progress) => progress.note('pass'), 'pass\n'],
  ['a warning', (progress) => progress.warn('late'), 'warning: late\n'],
  ['the end', (progress) => progress[Symbol.dispose](), ''],
])('shows how a short point ended before %s, and once', (_, say, said) => {
  const { progress, written } = screen()
  progress.point({ ...state, elapsedSeconds: 0 })
  progress.point({ ...state, elapsedSeconds: 1, resolved: 5 })
  progress.point({ ...state, elapsedSeconds: 2, resolved: 9 })
  say(progress)
  progress[Symbol.dispose]()
  expect(written).toHaveLength(said === '' ? 2 : 3)
  expect(written[1]).toMatch(/ 0:02, .* done 9 of /)
  expect(written.slice(2).join('')).toBe(said)
})

it('keeps the live line inside a narrow terminal', () => {
  const { progress, text } = screen({ isTerminal: true, columns: 40 })
  progress.point(state)
  const lines = stripVTControlCharacters(text()).split('\n').filter(Boolean)
  expect(lines).toEqual(['cold-open-24000-r1 · 24 RPS · 1:15, 13…'])
  expect(lines[0]).toHaveLength(39)
})

it('replaces the live line, keeps notes above it, and leaves no line behind', () => {
  const { progress, text } = screen({ isTerminal: true, columns: 200 })
  progress.point(state)
  progress.point({ ...state, inFlight: 121 })
  progress.note('cold-open-24000-r1: pass')
  progress[Symbol.dispose]()
  expect(text()).toContain('cold-open-24000-r1: pass\n')
  expect(text()).toContain('[2K')
  expect(text().trimEnd().endsWith('sent')).toBe(false)
})

it('colours nothing where no colours are wanted', () => {
  const plain = screen()
  plain.progress.warn('the disk is nearly full')
  expect(plain.text()).toBe('warning: the disk is nearly full\n')
  const colourful = screen({ hasColor: true })
  colourful.progress.warn('the disk is nearly full')
  expect(colourful.text()).toContain('\u001B[33m')
})

it.each([true, false])('lets no name move the cursor or begin a line of its own (terminal: %s)', (isTerminal) => {
  const { progress, text } = screen({ isTerminal, columns: 300 })
  const hostile = 'a\u001B[2J\u001B]0;title\u0007b\r\nerror: fake\u202e'
  progress.note(hostile)
  progress.warn(hostile)
  progress.point({ ...state, point: hostile, attainment: { [hostile]: 1 } })
  for (const bad of ['\u001B[2J', '\u001B]0', '\u0007', '\r', '\nerror', '\u202e']) expect(text()).not.toContain(bad)
})
