import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from '../../../../src/adapters/system/make-folder.ts'
import { stateFolder } from '../../../../src/adapters/system/state-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('makeFolder', () => {
  it('makes what is missing, however deep, and says whether it did', async () => {
    const deep = join(folder, 'a', 'b', 'c')
    expect(await makeFolder(deep, 0o700)).toBe(true)
    expect((await stat(deep)).mode & 0o777).toBe(0o700)
    expect(await makeFolder(deep)).toBe(false)
    expect(await makeFolder(folder)).toBe(false)
  })

  it('takes a link to a folder for one', async () => {
    await mkdir(join(folder, 'real'))
    await symlink('real', join(folder, 'link'))
    expect(await makeFolder(join(folder, 'link'))).toBe(false)
    expect(await makeFolder(join(folder, 'link', 'below'))).toBe(true)
  })

  it('is done by one of many that make the same', async () => {
    const deep = join(folder, 'a', 'b', 'c')
    const made = await Promise.all(Array.from({ length: 20 }, () => makeFolder(deep)))
    expect(made.filter(Boolean).length).toBeLessThanOrEqual(1)
    expect((await stat(deep)).isDirectory()).toBe(true)
  })

  it('refuses where a file or a link to nothing stands', async () => {
    await writeFile(join(folder, 'file'), '')
    await symlink('nothing', join(folder, 'dangling'))
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(makeFolder(join(folder, 'dangling'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('gives up where nothing can be made, at once and in words', async () => {
    await expect(makeFolder('/proc/capacity-gate/a/b')).rejects.toThrow(/nothing can be made|read-only/)
    await expect(stateFolder('/proc')).rejects.toMatchObject({ name: 'GateError', code: 'disk_read_only' })
  })
})
