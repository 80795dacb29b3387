import type { Pack } from '../ports/pack.ts'

/** A folder of a pack as a pack of its own: paths are relative to it. */
export function packFolder(pack: Pack, folder: string): Pack {
  const within = (path: string): string => `${folder}/${path}`
  return {
    location: `${pack.location}/${folder}`,
    write: (path, content) => pack.write(within(path), content),
    writeGzip: (path, content) => pack.writeGzip(within(path), content),
    gzip: (path) => pack.gzip(within(path)),
    read: (path) => pack.read(within(path)),
    readGzip: (path) => pack.readGzip(within(path)),
    async list(below) {
      const paths = await pack.list(below === '.' ? folder : within(below))
      return paths.map((path) => path.slice(folder.length + 1))
    },
    remove: (path) => pack.remove(within(path)),
    appendLines: (path) => pack.appendLines(within(path)),
  }
}
