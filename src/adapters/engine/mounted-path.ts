import { readlink } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

/** As many links as the kernel follows. */
const MOST_LINKS = 40

/**
 * The first link on the way to `path` that leads out of `root`, or nowhere: what has nothing of this machine but `root`, mounted at its own
 * path, would not find the file behind it. Null where all of the way lies inside.
 */
export async function linkOut(root: string, path: string): Promise<string | null> {
  const left = relative(root, path).split(sep)
  let [at, last] = [root, path]
  for (let links = 0; left.length > 0;) {
    const here = join(at, left.shift() ?? '')
    if (!isWithin(root, here)) return last
    // What the root itself is on this machine does not count: the mount is at its own path.
    const link = here === root ? null : await readlink(here).catch(() => null)
    if (link === null) {
      at = here
      continue
    }
    links += 1
    last = here
    if (links > MOST_LINKS || (isAbsolute(link) && !isWithin(root, link))) return last
    if (isAbsolute(link)) at = root
    left.unshift(...(isAbsolute(link) ? relative(root, link) : link).split(sep).filter((part) => part !== ''))
  }
  return null
}

/** By its name alone: no link is followed. */
export function isWithin(root: string, path: string): boolean {
  const below = relative(root, path)
  return below !== '..' && !below.startsWith(`..${sep}`)
}
