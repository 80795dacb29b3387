import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { historyBranch } from '../../../src/adapters/store/history-branch.ts'
import { historyDirectory } from '../../../src/adapters/store/history-directory.ts'
import type { HistoryStore } from '../../../src/app/ports/history.ts'
import { gitServer } from '../../fakes/git-server.ts'
import { fakeHistory } from '../../fakes/history.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one[Symbol.asyncDispose]()))
})

/** A branch of a repository behind git's own HTTP server, which asks for a login. */
async function branch(folder: string): Promise<HistoryStore> {
  const server = await gitServer({ token: 'ghs_contract' })
  opened.push(server)
  const remote = { url: server.url, token: 'ghs_contract' }
  const options = { env: { PATH: process.env['PATH'] }, drawPage: null }
  return historyBranch({ remote, branch: 'capacity-history', folder }, options)
}

/** Each with how many write to it at once: on a branch each try is a dozen processes. */
const stores: [string, () => Promise<HistoryStore>, number][] = [
  [
    'a directory',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'history-'))
      opened.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
      return historyDirectory(join(folder, 'made', 'here'), { drawPage: null })
    },
    30,
  ],
  ['a branch', () => branch(''), 4],
  ['a folder of a branch', () => branch('nightly/h100'), 4],
  ['the fake', async () => fakeHistory(), 30],
]

describe.each(stores)('%s', { timeout: 240_000 }, (_, make, atOnce) => {
  it('is empty at first', async () => {
    expect(await (await make()).read()).toBe('')
  })

  it('gives back what was put there: added to, replaced, left alone, emptied', async () => {
    const store = await make()
    await store.update(() => 'one\n', 'test')
    await store.update((text) => `${text}zwei, drei ✓\n`, 'test')
    expect(await store.read()).toBe('one\nzwei, drei ✓\n')
    await store.update((text) => text, 'test')
    expect(await store.read()).toBe('one\nzwei, drei ✓\n')
    await store.update((text) => text.replace('one', 'eins'), 'test')
    expect(await store.read()).toBe('eins\nzwei, drei ✓\n')
    await store.update(() => '', 'test')
    expect(await store.read()).toBe('')
  })

  it('goes on behind a line that was cut off', async () => {
    const store = await make()
    await store.update(() => 'one\ntor', 'test')
    await store.update((text) => `${text}\ntwo\n`, 'test')
    expect(await store.read()).toBe('one\ntor\ntwo\n')
  })

  it('loses nothing of many that add at once', async () => {
    const store = await make()
    const names = Array.from({ length: atOnce }, (_each, index) => `line ${index}`)
    await Promise.all(names.map((name) => store.update((text) => `${text}${name}\n`, 'test')))
    expect((await store.read()).trimEnd().split('\n').toSorted()).toEqual(names.toSorted())
  })

  it('keeps what was there where the change fails', async () => {
    const store = await make()
    await store.update(() => 'one\n', 'test')
    const failing = store.update(() => {
      throw new Error('no')
    }, 'test')
    await expect(failing).rejects.toThrow('no')
    expect(await store.read()).toBe('one\n')
    await store.update((text) => `${text}two\n`, 'test')
    expect(await store.read()).toBe('one\ntwo\n')
  })
})
