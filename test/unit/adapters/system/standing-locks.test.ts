import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeHostLocks } from '../../../../src/adapters/system/locks.ts'
import { removeDeadLocks, standingLocks } from '../../../../src/adapters/system/standing-locks.ts'
import { machineFolder, openToAll } from '../../../../src/adapters/system/state-folder.ts'

const gpu = { name: 'gpu-GPU-1', what: 'GPU 0', reach: 'machine' } as const
const port = { name: 'port-18000', what: 'port 18000', reach: 'user' } as const

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'standing-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

/** The lock of the GPU, as somebody else left it. */
async function rewritten(change: object): Promise<string> {
  const path = join(await machineFolder(parent), 'gpu-GPU-1.lock')
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...change }))
  return path
}

describe('the locks that stand', () => {
  it('are told with who holds them, and whether it lives', async () => {
    expect(await standingLocks(parent)).toEqual([])
    expect(await readdir(parent)).toEqual([])
    await using _ = await takeHostLocks([port, gpu], { parent, owner: 'job gate of acme/engine' })
    const [own, machine] = await standingLocks(parent)
    const holder = expect.stringContaining(`process ${process.pid} of`)
    expect(own).toMatchObject({ name: 'port-18000', state: 'held', holder })
    expect(machine).toMatchObject({ name: 'gpu-GPU-1', state: 'held', path: expect.stringContaining('gpu-GPU-1.lock') })
    await rewritten({ pid: 2 ** 22 + 9 })
    expect((await standingLocks(parent))[1]?.state).toBe('left')
    await rewritten({ container: 'pid:[1]' })
    expect((await standingLocks(parent))[1]?.state).toBe('elsewhere')
    await rewritten({ boot: 'earlier' })
    expect((await standingLocks(parent))[1]?.state).toBe('left')
  })

  it('of a dead process are removed, and no other', async () => {
    await using _ = await takeHostLocks([port, gpu], { parent })
    expect(await removeDeadLocks(parent)).toEqual([])
    const { host } = JSON.parse(await readFile(await rewritten({ pid: 2 ** 22 + 9, host: 'elsewhere' }), 'utf8'))
    expect([host, await removeDeadLocks(parent)]).toEqual(['elsewhere', []])
    await rewritten({ host: hostname() })
    expect(await removeDeadLocks(parent)).toEqual([expect.stringMatching(/^removed the lock gpu-GPU-1: .* has ended$/)])
    expect((await standingLocks(parent)).map(({ name }) => name)).toEqual(['port-18000'])
  })

  it('are looked for in no folder that is a link, and nothing else in one is touched', async () => {
    const elsewhere = join(parent, 'elsewhere')
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'gpu-GPU-1.lock'), '{}')
    await symlink(elsewhere, join(parent, 'capacity-gate-machine'))
    expect([await standingLocks(parent), await removeDeadLocks(parent)]).toEqual([[], []])
    expect(await readdir(elsewhere)).toEqual(['gpu-GPU-1.lock'])
  })

  it('are passed over where they are none', async () => {
    const folder = await machineFolder(parent)
    await writeFile(join(folder, 'a.lock'), '{"pid":')
    await mkdir(join(folder, 'b.lock'))
    await symlink('/dev/zero', join(folder, 'c.lock'))
    expect([await standingLocks(parent), await removeDeadLocks(parent)]).toEqual([[], []])
    expect((await readdir(folder)).toSorted()).toEqual(['a.lock', 'b.lock', 'c.lock'])
  })
})

describe('the folder for the whole machine', () => {
  it('is the first in which all may write and nobody remove another’s', async () => {
    const [closed, open, link] = [join(parent, 'closed'), join(parent, 'open'), join(parent, 'link')]
    await mkdir(closed)
    await mkdir(open)
    await chmod(open, 0o1777)
    await symlink(open, link)
    expect(await openToAll([join(parent, 'none'), closed, link, open])).toBe(open)
    await chmod(open, 0o777)
    expect(await openToAll([closed, open])).toBeNull()
  })
})
