import { describe, expect, it } from 'vitest'
import { init } from '../../../src/app/init.ts'
import type { InitOrder } from '../../../src/app/init.ts'
import { fakeProjectFolder } from '../../fakes/project-folder.ts'

const files = [
  { path: 'workload-manifest.yaml', text: 'a: 1\n' },
  { path: '.github/workflows/capacity-gate.yml', text: 'on: push\n' },
]
const order = (change: Partial<InitOrder> = {}): InitOrder => ({
  files,
  owners: { manifestPath: 'workload-manifest.yaml', owner: '@acme/inference' },
  force: false,
  ...change,
})

describe('init', () => {
  it('writes what is not there, and does nothing the second time', async () => {
    const folder = fakeProjectFolder()
    const first = await init(folder, order())
    expect(first.files.map(({ done }) => done)).toEqual(['written', 'written', 'written'])
    const after = new Map(folder.files)
    const second = await init(folder, order())
    expect(second.files.map(({ done }) => done)).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect(folder.files).toEqual(after)
    expect(second.ownersWritten).toBe(true)
  })

  it.each([
    ['x.yaml', 'x.yaml'],
    ['x.yaml', 'X.yaml'],
    ['x.yaml', 'x.yaml/y.yml'],
    ['x.yaml', '.github/CODEOWNERS'],
  ])('puts no two files in one place: %s and %s', async (first, second) => {
    const folder = fakeProjectFolder()
    const both = [first, second].map((path) => ({ path, text: path }))
    await expect(init(folder, order({ files: both, force: true }))).rejects.toMatchObject({
      code: 'usage',
      exitCode: 64,
      message: expect.stringContaining(second),
    })
    expect(folder.files.size).toBe(0)
  })

  it('replaces nothing, and writes nothing beside what is in the way', async () => {
    const folder = fakeProjectFolder({ 'workload-manifest.yaml': 'mine\n' })
    await expect(init(folder, order())).rejects.toMatchObject({
      code: 'files_exist',
      exitCode: 4,
      message: 'nothing was written: there already is workload-manifest.yaml',
      hint: expect.stringContaining('--force'),
    })
    expect([...folder.files]).toEqual([['workload-manifest.yaml', 'mine\n']])
  })

  it('replaces files where it is told to, but no link and no folder', async () => {
    const folder = fakeProjectFolder({ 'workload-manifest.yaml': 'mine\n' })
    const { files: done } = await init(folder, order({ force: true, owners: null }))
    expect(done[0]).toEqual({ path: 'workload-manifest.yaml', done: 'replaced' })
    const linked = fakeProjectFolder({}, { links: ['workload-manifest.yaml'] })
    await expect(init(linked, order({ force: true }))).rejects.toMatchObject({
      message: 'nothing was written: there already is workload-manifest.yaml (a symbolic link)',
    })
    expect(linked.files.size).toBe(0)
    const taken = fakeProjectFolder({ 'workload-manifest.yaml/x': 'x' })
    await expect(init(taken, order({ force: true }))).rejects.toMatchObject({ message: /\(a folder\)/ })
  })

  it.each(['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'])('adds to %s, which GitHub reads', async (path) => {
    const folder = fakeProjectFolder({ [path]: '* @acme/all\n' })
    const { files: done } = await init(folder, order({ force: true }))
    expect(done.at(-1)).toEqual({ path, done: 'appended' })
    expect(folder.files.get(path)).toMatch(/^\* @acme\/all\n\n# Capacity gate: /)
  })

  it('adds to the first that is there, and to none that is a link', async () => {
    const folder = fakeProjectFolder({ CODEOWNERS: '', 'docs/CODEOWNERS': 'x\n' })
    expect((await init(folder, order())).files.at(-1)).toEqual({ path: 'CODEOWNERS', done: 'appended' })
    expect(folder.files.get('docs/CODEOWNERS')).toBe('x\n')
    const linked = fakeProjectFolder({}, { links: ['.github/CODEOWNERS'] })
    await expect(init(linked, order({ force: true }))).rejects.toMatchObject({ code: 'files_exist' })
  })

  it('only tells the lines where nobody owns them', async () => {
    const folder = fakeProjectFolder()
    const owners = { manifestPath: 'workload-manifest.yaml', owner: null }
    const { ownerLines, ownersWritten } = await init(folder, order({ owners }))
    expect([ownersWritten, ownerLines[0]]).toEqual([false, '/workload-manifest.yaml @your-org/capacity-owners'])
    expect([...folder.files.keys()]).toEqual(files.map(({ path }) => path))
  })

  it('says what was written before a disk was full', async () => {
    const folder = fakeProjectFolder({}, { full: ['.github/workflows/capacity-gate.yml'] })
    await expect(init(folder, order())).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/the disk is full; written before it: workload-manifest\.yaml$/),
    })
  })
})
