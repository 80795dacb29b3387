import { lstat, realpath, rename, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { fileError } from './file-errors.ts'

/** Any of these makes a folder a pack, or what was left of one. */
const MARKS = ['run.json', 'points', 'capacity.json', 'verdict.json']

/**
 * Moves the pack of an earlier attempt out of the way, so that the next one neither mixes with it nor passes it off as its own. The last
 * one is kept, beside its old place. Returns where it is now; null where no pack stood. Throws GateError `pack_in_use` where the folder
 * is the one that everything else lies in.
 */
export async function setAsideEarlierPack(folder: string): Promise<string | null> {
  const place = resolve(folder)
  if (!(await isPack(place))) return null
  if (await holdsCurrentFolder(place)) throw packInUse(folder)
  try {
    const aside = await freePlace(`${place}.earlier`)
    await rm(aside, { recursive: true, force: true })
    await rename(place, aside)
    return aside
  } catch (error) {
    throw fileError(error, 'set aside the earlier pack', folder)
  }
}

export async function isPack(folder: string): Promise<boolean> {
  const found = await Promise.all(MARKS.map((mark) => isThere(join(folder, mark))))
  return found.includes(true)
}

/** The name of a folder beside this one that is not taken yet. */
export async function unusedFolder(folder: string): Promise<string> {
  const name = folder.replace(/(?<=.)\/+$/, '')
  for (let n = 2; ; n += 1) {
    if (!(await isThere(`${name}-${n}`))) return `${name}-${n}`
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}

async function holdsCurrentFolder(place: string): Promise<boolean> {
  const from = relative(await realpath(place), await realpath('.'))
  return from === '' || !/^\.\.(?:\/|\\|$)/.test(from)
}

/** Where nothing stands, or a pack that was set aside before: what else somebody keeps there is left alone. */
async function freePlace(place: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? place : `${place}-${n}`
    if (!(await isThere(candidate)) || (await isPack(candidate))) return candidate
  }
}

function packInUse(folder: string): GateError {
  return new GateError({
    code: 'pack_in_use',
    message: `${folder} holds the points of an earlier run, and cannot be set aside: it holds the current folder too`,
    hint: 'set the input pack to a folder of its own',
    exitCode: EXIT.usage,
  })
}
