import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isTemporaryName, removeTemporaries, temporaryName } from '../../../../src/adapters/system/temporaries.ts'

const DEAD = 2 ** 22 + 9

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporaries-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const nameOf = (pid: number) => temporaryName('ab12', 'run.json').replace(String(process.pid), String(pid))

it('knows its own names', () => {
  expect(isTemporaryName(temporaryName('ab12', 'run.json'))).toBe(true)
  expect(nameOf(7)).toBe('.cg-tmp-7-ab12-run.json')
})

it('removes what a dead process made for a moment, files and folders, and nothing of another', async () => {
  await mkdir(join(folder, `capacity-gate-git-${DEAD}-x/objects`), { recursive: true })
  await mkdir(join(folder, `capacity-gate-router-${DEAD}-x`))
  await mkdir(join(folder, 'points/a'), { recursive: true })
  await writeFile(join(folder, 'points/a', nameOf(DEAD)), '')
  const others = [nameOf(process.pid), nameOf(DEAD + 1), 'capacity-gate-0', `other-${DEAD}-x`, 'verdict.json']
  for (const name of others) await writeFile(join(folder, name), '')
  expect(await removeTemporaries([{ folder, deep: false }], DEAD)).toBe(2)
  expect(await readdir(join(folder, 'points/a'))).toEqual([nameOf(DEAD)])
  expect(await removeTemporaries([{ folder, deep: true }], DEAD)).toBe(1)
  expect((await readdir(folder)).toSorted()).toEqual([...others, 'points'].toSorted())
})

it('removes after a day what nobody owns any more, and nothing before', async () => {
  const old = new Date(Date.now() - 25 * 3600 * 1000)
  for (const pid of [DEAD, process.pid]) {
    await writeFile(join(folder, nameOf(pid)), '')
    await utimes(join(folder, nameOf(pid)), old, old)
  }
  await writeFile(join(folder, nameOf(DEAD + 1)), '')
  expect(await removeTemporaries([{ folder, deep: false }], null)).toBe(1)
  expect((await readdir(folder)).toSorted()).toEqual([nameOf(process.pid), nameOf(DEAD + 1)].toSorted())
})

it('passes over a folder that is not there', async () => {
  expect(await removeTemporaries([{ folder: join(folder, 'none'), deep: true }], DEAD)).toBe(0)
})
