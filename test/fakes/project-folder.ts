import type { ProjectFolder } from '../../src/app/ports/project-folder.ts'
import { EXIT, GateError } from '../../src/core/kernel/errors.ts'

export interface FakeFolder extends ProjectFolder {
  files: Map<string, string>
}

/** Files in memory. `links` stand where they are named; one to a folder outside of it is named in `outside`; `full` takes no file. */
export function fakeProjectFolder(
  files: Readonly<Record<string, string>> = {},
  { links = [], outside = [], full = [] }: { links?: string[]; outside?: string[]; full?: string[] } = {},
): FakeFolder {
  const held = new Map(Object.entries(files))
  const requireInside = (path: string): void => {
    if (!path.startsWith('../') && !outside.some((folder) => path.startsWith(`${folder}/`))) return
    const [message, hint] = [`${path} leads out of this folder`, 'make it a folder of its own']
    throw new GateError({ code: 'path_refused', message, hint, exitCode: EXIT.invalid })
  }
  return {
    files: held,
    async look(path) {
      requireInside(path)
      if (links.includes(path)) return { kind: 'other', what: 'a symbolic link' }
      const text = held.get(path)
      if (text !== undefined) return { kind: 'file', text }
      const isFolder = [...held.keys()].some((name) => name.startsWith(`${path}/`))
      return isFolder ? { kind: 'other', what: 'a folder' } : { kind: 'nothing' }
    },
    async write(path, text) {
      requireInside(path)
      if (full.includes(path)) {
        throw new GateError({
          code: 'disk_full',
          message: `cannot write ${path}: the disk is full`,
          hint: 'free space',
        })
      }
      held.set(path, text)
    },
  }
}
