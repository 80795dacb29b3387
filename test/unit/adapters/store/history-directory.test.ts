import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { historyDirectory } from '../../../../src/adapters/store/history-directory.ts'
import { addToHistory, pointsOfRun, readTrends } from '../../../../src/app/history.ts'
import type { CapacityRecord } from '../../../../src/core/capacity/record.ts'
import { PAGE_MARK } from '../../../../src/core/report/trend/page.ts'
import { heldCandidate } from '../../gate/record-fixture.ts'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  folders.push(folder)
  return folder
}
const fileIn = (folder: string) => join(folder, 'history.jsonl')
const pointsOf = (record: CapacityRecord) =>
  pointsOfRun({ record, verdict: null, series: null, runUrl: null }, '2026-11-30T08:00:00.000Z')

describe('a history in a folder', () => {
  it('appends to its file, and writes nothing where nothing is new', async () => {
    const folder = scratch()
    const store = historyDirectory(folder, { drawPage: null })
    await addToHistory(store, pointsOf(heldCandidate()))
    const first = statSync(fileIn(folder))
    await addToHistory(store, pointsOf(heldCandidate({ createdAt: '2026-11-21T08:00:00.000Z' })))
    const second = statSync(fileIn(folder))
    expect([second.ino, second.size > first.size]).toEqual([first.ino, true])
    const again = await addToHistory(store, pointsOf(heldCandidate()))
    expect(again).toMatchObject({ added: [], known: 2 })
    expect(statSync(fileIn(folder)).mtimeMs).toBe(second.mtimeMs)
  })

  it('refuses a run of a clock that is ahead, which would stay the latest', () => {
    const at = (createdAt: string) => pointsOf(heldCandidate({ createdAt }))
    expect(at('2026-11-30T08:59:00.000Z')).toHaveLength(2)
    expect(() => at('2027-11-30T08:00:00.000Z')).toThrow(
      expect.objectContaining({ code: 'history_from_future', exitCode: 4 }),
    )
  })

  it('goes on after a crash that cut the last line, wherever it cut', async () => {
    for (const cut of [1, 2, 300, 900]) {
      const folder = scratch()
      const store = historyDirectory(folder, { drawPage: null })
      await addToHistory(store, pointsOf(heldCandidate()))
      truncateSync(fileIn(folder), statSync(fileIn(folder)).size - cut)
      const torn = readFileSync(fileIn(folder), 'utf8')
      const { faults } = await addToHistory(store, pointsOf(heldCandidate({ createdAt: '2026-11-21T08:00:00.000Z' })))
      expect(faults.map(({ code }) => code)).toEqual(cut === 1 ? [] : ['torn'])
      expect(readFileSync(fileIn(folder), 'utf8').startsWith(torn)).toBe(true)
      const { trends } = await readTrends(store)
      expect(trends.flatMap(({ points }) => points)).toHaveLength(cut === 1 ? 4 : 3)
    }
  })

  it('passes over bytes that are no text, and keeps the rest', async () => {
    const folder = scratch()
    const store = historyDirectory(folder, { drawPage: null })
    await addToHistory(store, pointsOf(heldCandidate()))
    const good = readFileSync(fileIn(folder))
    writeFileSync(fileIn(folder), Buffer.concat([Buffer.from([0xff, 0xfe, 0x00, 0x0a]), good]))
    const { trends, faults } = await readTrends(store)
    expect(trends).toHaveLength(2)
    expect(faults).toEqual([{ line: 1, code: 'malformed' }])
  })

  it('loses no line of several processes that add at once', { timeout: 60_000 }, async () => {
    const folder = scratch()
    const names = ['a', 'b', 'c', 'd', 'e']
    const script = join(import.meta.dirname, 'history-add-process.ts')
    await Promise.all(names.map((name) => promisify(execFile)(process.execPath, [script, folder, name, '20'])))
    const lines = readFileSync(fileIn(folder), 'utf8').trimEnd().split('\n')
    const expected = names.flatMap((name) => Array.from({ length: 20 }, (_, index) => `${name} ${index}`))
    expect(lines.toSorted()).toEqual(expected.toSorted())
  })

  it('draws its page with each change, and replaces none that is somebody else’s', async () => {
    const folder = scratch()
    const drawPage = (text: string) => `${PAGE_MARK} ${text.split('\n').length}`
    const store = historyDirectory(folder, { drawPage })
    await addToHistory(store, pointsOf(heldCandidate()))
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(`${PAGE_MARK} 3`)
    writeFileSync(join(folder, 'index.html'), '<!doctype html>my own site')
    const more = pointsOf(heldCandidate({ createdAt: '2026-11-21T08:00:00.000Z' }))
    await expect(addToHistory(store, more)).rejects.toMatchObject({ code: 'page_foreign', exitCode: 4 })
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('<!doctype html>my own site')
    expect(readFileSync(fileIn(folder), 'utf8').trimEnd().split('\n')).toHaveLength(2)
  })

  it('is not written through a link, and says what is in its way', async () => {
    const folder = scratch()
    const elsewhere = join(scratch(), 'elsewhere')
    writeFileSync(elsewhere, 'mine\n')
    symlinkSync(elsewhere, fileIn(folder))
    const adding = addToHistory(historyDirectory(folder, { drawPage: null }), pointsOf(heldCandidate()))
    await expect(adding).rejects.toMatchObject({ code: 'path_refused' })
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine\n')
    const other = scratch()
    mkdirSync(fileIn(other))
    await expect(historyDirectory(other, { drawPage: null }).read()).rejects.toMatchObject({ code: 'path_is_a_folder' })
  })

  it('refuses to grow without end, and to be read when it has', async () => {
    const folder = scratch()
    const store = historyDirectory(folder, { drawPage: null })
    const most = 64 * 1024 * 1024
    await expect(store.update(() => 'x'.repeat(most + 1), 'test')).rejects.toMatchObject({ code: 'history_full' })
    writeFileSync(fileIn(folder), '')
    truncateSync(fileIn(folder), most + 1)
    await expect(store.read()).rejects.toMatchObject({ code: 'file_too_large', exitCode: 4 })
  })
})
