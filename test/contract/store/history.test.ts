import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { historyDirectory } from '../../../src/adapters/store/history-directory.ts'
import type { HistoryStore } from '../../../src/app/ports/history.ts'
import { fakeHistory } from '../../fakes/history.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

const stores: [string, () => Promise<HistoryStore>][] = [
  [
    'a directory',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'history-'))
      folders.push(folder)
      return historyDirectory(join(folder, 'made', 'here'))
    },
  ],
  ['the fake', async () => fakeHistory()],
]

describe.each(stores)('%s', (_, make) => {
  it('is empty at first', async () => {
    expect(await (await make()).read()).toBe('')
  })

  it('gives back what was put there: added to, replaced, left alone, emptied', async () => {
    const store = await make()
    await store.update(() => 'one\n')
    await store.update((text) => `${text}zwei, drei ✓\n`)
    expect(await store.read()).toBe('one\nzwei, drei ✓\n')
    await store.update((text) => text)
    expect(await store.read()).toBe('one\nzwei, drei ✓\n')
    await store.update((text) => text.replace('one', 'eins'))
    expect(await store.read()).toBe('eins\nzwei, drei ✓\n')
    await store.update(() => '')
    expect(await store.read()).toBe('')
  })

  it('goes on behind a line that was cut off', async () => {
    const store = await make()
    await store.update(() => 'one\ntor')
    await store.update((text) => `${text}\ntwo\n`)
    expect(await store.read()).toBe('one\ntor\ntwo\n')
  })

  it('loses nothing of many that add at once', async () => {
    const store = await make()
    const names = Array.from({ length: 30 }, (_each, index) => `line ${index}`)
    await Promise.all(names.map((name) => store.update((text) => `${text}${name}\n`)))
    expect((await store.read()).trimEnd().split('\n').toSorted()).toEqual(names.toSorted())
  })

  it('keeps what was there where the change fails', async () => {
    const store = await make()
    await store.update(() => 'one\n')
    const failing = store.update(() => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await store.read()).toBe('one\n')
    await store.update((text) => `${text}two\n`)
    expect(await store.read()).toBe('one\ntwo\n')
  })
})
