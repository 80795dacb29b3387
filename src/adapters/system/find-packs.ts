import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { isPack } from './earlier-pack.ts'
import { fileError } from './file-errors.ts'

/** An artifact's folder in a folder of artifacts, and the packs in it. */
const DEPTH = 3
const PACKS_MAX = 500

/**
 * The packs in a folder: itself where it is one, else those of the folders below it, in the order of their paths. Links are not followed. Throws
 * GateError, exit 4: `packs_missing` where there is none, `packs_too_many`.
 */
export async function findPacks(folder: string): Promise<string[]> {
  const found: string[] = []
  await look(folder, DEPTH, found)
  if (found.length > 0) return found
  throw new GateError({
    code: 'packs_missing',
    message: `${folder} is no pack of a run, and holds none`,
    hint: 'name the folder that a run wrote, or the one that its artifacts were downloaded into',
    exitCode: EXIT.invalid,
  })
}

async function look(folder: string, depth: number, found: string[]): Promise<void> {
  if (await isPack(folder)) {
    if (found.length === PACKS_MAX) throw tooMany()
    found.push(folder)
    return
  }
  if (depth === 0) return
  for (const name of await foldersIn(folder)) await look(join(folder, name), depth - 1, found)
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    return names.toSorted()
  } catch (error) {
    throw fileError(error, 'look for packs in', folder, EXIT.invalid)
  }
}

function tooMany(): GateError {
  return new GateError({
    code: 'packs_too_many',
    message: `there are more than ${PACKS_MAX} packs`,
    hint: 'name the folder of fewer runs',
    exitCode: EXIT.invalid,
  })
}
