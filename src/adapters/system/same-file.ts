import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Whether two paths name one file, through links too. Devices and pipes are none: they are written into and not replaced. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  const [is, was] = await Promise.all([path, other].map((each) => stat(each, { bigint: true }).catch(() => null)))
  if (is && was) return is.isFile() && is.dev === was.dev && is.ino === was.ino
  return !is && !was && resolve(path) === resolve(other)
}
