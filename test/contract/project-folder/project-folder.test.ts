import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { projectFolder, repositoryRoot } from '../../../src/adapters/system/project-folder.ts'
import type { ProjectFolder } from '../../../src/app/ports/project-folder.ts'
import { fakeProjectFolder } from '../../fakes/project-folder.ts'

const temporary: string[] = []
afterEach(async () => {
  await Promise.all(temporary.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function realFolder(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'project-'))
  temporary.push(root)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

/** With a link `link` to a file, and a link `away` to a folder outside. */
const kinds: [string, (files: Record<string, string>) => Promise<ProjectFolder>][] = [
  [
    'a folder of this machine',
    async (files) => {
      const root = await realFolder(files)
      await symlink('nowhere', join(root, 'link'))
      await symlink(await realFolder({}), join(root, 'away'))
      return projectFolder(root)
    },
  ],
  ['the fake', async (files) => fakeProjectFolder(files, { links: ['link', 'away'], outside: ['away'] })],
]

describe.each(kinds)('%s', (_, make) => {
  it('tells what stands at a path', async () => {
    const folder = await make({ 'a.yaml': 'a: 1\n', 'sub/b.yaml': '', 'sub/c.yaml': 'ä' })
    expect(await folder.look('a.yaml')).toEqual({ kind: 'file', text: 'a: 1\n' })
    expect(await folder.look('sub/b.yaml')).toEqual({ kind: 'file', text: '' })
    expect(await folder.look('sub/c.yaml')).toEqual({ kind: 'file', text: 'ä' })
    expect(await folder.look('sub')).toEqual({ kind: 'other', what: 'a folder' })
    expect(await folder.look('link')).toEqual({ kind: 'other', what: 'a symbolic link' })
    expect(await folder.look('away')).toEqual({ kind: 'other', what: 'a symbolic link' })
    expect(await folder.look('nothing')).toEqual({ kind: 'nothing' })
    expect(await folder.look('no/such/folder')).toEqual({ kind: 'nothing' })
  })

  it('writes a file, also into folders that were not there, and over another one', async () => {
    const folder = await make({ 'a.yaml': 'old' })
    await folder.write('a.yaml', 'new')
    await folder.write('.github/workflows/x.yml', 'on: push\n')
    expect(await folder.look('a.yaml')).toEqual({ kind: 'file', text: 'new' })
    expect(await folder.look('.github/workflows/x.yml')).toEqual({ kind: 'file', text: 'on: push\n' })
  })

  it.each(['../x.yaml', 'away/x.yaml', 'away/deep/x.yaml'])('refuses %s, which leads out of it', async (path) => {
    const folder = await make({ 'a.yaml': 'a' })
    await expect(folder.look(path)).rejects.toMatchObject({ code: 'path_refused', exitCode: 4 })
    await expect(folder.write(path, 'x')).rejects.toMatchObject({ code: 'path_refused', exitCode: 4 })
  })
})

describe('a folder of this machine', () => {
  it('looks through a link to a folder that lies in it', async () => {
    const root = await realFolder({ 'real/a.yaml': 'a' })
    await symlink('real', join(root, 'linked'))
    const folder = projectFolder(root)
    await folder.write('linked/b.yaml', 'b')
    expect(await readFile(join(root, 'real/b.yaml'), 'utf8')).toBe('b')
  })

  it('is itself reached by a link', async () => {
    const root = await realFolder({ 'a.yaml': 'a' })
    const link = `${root}-link`
    temporary.push(link)
    await symlink(root, link)
    expect(await projectFolder(link).look('a.yaml')).toEqual({ kind: 'file', text: 'a' })
  })

  it('knows the root of the repository that it lies in, a work tree’s or a submodule’s too', async () => {
    const root = await realFolder({
      '.git/HEAD': '',
      'a/b/c': '',
      'module/.git': 'gitdir: elsewhere',
      'module/d/e': '',
    })
    expect(await repositoryRoot(join(root, 'a/b'))).toBe(root)
    expect(await repositoryRoot(root)).toBe(root)
    expect(await repositoryRoot(join(root, 'module/d'))).toBe(join(root, 'module'))
  })

  it('says what cannot be read or made', async () => {
    const root = await realFolder({ file: 'a', binary: 'a\0b' })
    await symlink('nowhere', join(root, 'dangling'))
    const folder = projectFolder(root)
    await expect(folder.look('binary')).rejects.toMatchObject({ code: 'file_not_text' })
    await expect(folder.write('file/x.yaml', 'x')).rejects.toMatchObject({ code: 'path_is_not_a_folder' })
    await expect(folder.look('dangling/x.yaml')).rejects.toMatchObject({ code: 'file_not_found' })
  })
})
