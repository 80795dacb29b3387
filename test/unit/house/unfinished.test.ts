import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const shipped = globSync(['src/**/*.ts', 'fixtures/engine/**/*.ts', 'action.yml'], { cwd: root })

/** What stands where something is left to be done. */
const UNFINISHED =
  /\b(?:TODO|FIXME|XXX|HACK|WIP|TBD)\b|\bnot (?:yet )?(?:implemented|supported yet|done yet)\b|\bcoming soon\b|\bstub(?:s|bed)?\b/
const marksIn = (text: string) => text.split('\n').filter((line) => UNFINISHED.test(line))

describe('what is shipped is done', () => {
  test('no line says that something is left to do', () => {
    expect(shipped.length).toBeGreaterThan(300)
    const found = shipped.flatMap((path) =>
      marksIn(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`),
    )
    expect(found).toEqual([])
  })

  test.each(['// TODO mend', 'throw new Error("not implemented")', '/** A stub. */', 'not yet implemented'])(
    'sees %s',
    (line) => {
      expect(marksIn(line)).toEqual([line])
    },
  )

  test.each(['**What to do**', 'the program has not yet renamed itself', 'a placeholder'])('lets %s be', (line) => {
    expect(marksIn(line)).toEqual([])
  })
})
