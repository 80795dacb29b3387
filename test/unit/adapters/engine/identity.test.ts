import { describe, expect, it } from 'vitest'
import { argvIdentity } from '../../../../src/adapters/engine/identity.ts'
import { FIXTURE } from '../../../../src/core/dialect/fixture-table.ts'
import { smallExample } from '../../../virtual/virtual-manifest.ts'

const order = { manifest: smallExample(), dialect: FIXTURE, deployId: 'b', log: { write() {} } }
const ordered = ['/opt/start.sh', 'engine', '--port', '1']
const stateOf = (asRun: string[] | null) => argvIdentity(order, [{ ordered, asRun }]).state

describe('the arguments that run', () => {
  it.each([
    ['as ordered', ordered, 'pass'],
    ['behind a script’s interpreter', ['/bin/sh', ...ordered], 'pass'],
    ['of a wrapper that has replaced itself', ordered.slice(1), 'pass'],
    ['of another program', ['engine', '--port', '2'], 'fail'],
    ['with one more', [...ordered, '--fast'], 'fail'],
    ['of nothing', [], 'fail'],
    ['unreadable', null, 'unknown'],
  ])('%s', (_, asRun, state) => {
    expect(stateOf(asRun)).toBe(state)
  })

  it('have one digest, whenever the wrapper was gone', () => {
    const digest = (asRun: string[]) => argvIdentity(order, [{ ordered, asRun }]).sha256
    expect(digest(ordered.slice(1))).toBe(digest(ordered))
  })
})
