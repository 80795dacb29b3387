import { execFileSync, spawn } from 'node:child_process'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWhole, removeStale } from '../../../../src/adapters/system/lock-file.ts'
import { takeHostLocks, takeLock } from '../../../../src/adapters/system/locks.ts'
import { machineFolder, stateFolder } from '../../../../src/adapters/system/state-folder.ts'
import { sha256Hex } from '../../../../src/core/kernel/hash.ts'
import { ownUser } from '../../../fakes/own-user.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locks-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const what = 'this machine for port 18000'

describe('a lock', () => {
  it('is held by one at a time and leaves no file', async () => {
    const path = join(folder, 'a.lock')
    const lock = await takeLock(path, { what })
    await expect(takeLock(path, { what })).rejects.toMatchObject({ name: 'GateError', code: 'locked' })
    await expect(takeLock(path, { what })).rejects.toThrow(`process ${process.pid}`)
    await lock[Symbol.asyncDispose]()
    const second = await takeLock(path, { what })
    await lock[Symbol.asyncDispose]()
    await expect(takeLock(path, { what })).rejects.toMatchObject({ code: 'locked' })
    await second[Symbol.asyncDispose]()
    expect(await readdir(folder)).toEqual([])
  })

  it('that cannot be read is told, and not waited for without end', async () => {
    const path = join(folder, 'a.lock')
    await mkdir(path)
    await expect(takeLock(path, { what })).rejects.toMatchObject({ code: 'path_is_a_folder' })
  })

  it('lets exactly one of many through at any moment', async () => {
    const path = join(folder, 'a.lock')
    let inside = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        await using _ = await takeLock(path, { what, waitMs: 20_000 })
        inside += 1
        most = Math.max(most, inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside -= 1
      }),
    )
    expect(most).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })

  it('of a process that was killed is taken over, by one of many', async () => {
    const path = join(folder, 'a.lock')
    const script = `import { takeLock } from ${JSON.stringify(new URL('../../../../src/adapters/system/locks.ts', import.meta.url).href)}
      await takeLock(${JSON.stringify(path)}, { what: 'x' }); console.log('taken'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await expect(takeLock(path, { what })).rejects.toThrow(`process ${child.pid}`)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => takeLock(path, { what })))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })

  it('of whoever was quicker is not touched by those that saw the dead one before it', async () => {
    const path = join(folder, 'a.lock')
    await using _ = await takeLock(path, { what })
    const ended = new AbortController()
    // Were it moved away for a moment, somebody could take it then.
    const others = Array.from({ length: 4 }, async (__, index) => {
      let taken = 0
      while (!ended.signal.aborted) if (await createWhole(path, 'mine', `other-${index}`)) taken += 1
      return taken
    })
    for (let round = 0; round < 30; round += 1) await removeStale(path, `dead-${round}`)
    ended.abort()
    expect(await Promise.all(others)).toEqual([0, 0, 0, 0])
    await expect(takeLock(path, { what })).rejects.toThrow(`process ${process.pid}`)
  })

  it('of a dead holder is taken though who was about to remove it was killed in between', async () => {
    const path = join(folder, 'a.lock')
    const own = await takeLock(path, { what })
    const dead = { ...(JSON.parse(await readFile(path, 'utf8')) as object), pid: 2 ** 22 + 9 }
    await own[Symbol.asyncDispose]()
    const [seen, right] = [JSON.stringify(dead), JSON.stringify({ ...dead, token: 'another' })]
    await writeFile(path, seen)
    await writeFile(`${path}.${sha256Hex(seen).slice(0, 12)}.break`, right)
    await (await takeLock(path, { what }))[Symbol.asyncDispose]()
    expect(await readdir(folder)).toEqual([])
  })

  it('of a dead holder is refused where a living process has it in hand and does not come to an end', async () => {
    const path = join(folder, 'a.lock')
    const own = await takeLock(path, { what })
    const living = await readFile(path, 'utf8')
    await own[Symbol.asyncDispose]()
    const seen = JSON.stringify({ ...(JSON.parse(living) as object), pid: 2 ** 22 + 9 })
    await writeFile(path, seen)
    await writeFile(`${path}.${sha256Hex(seen).slice(0, 12)}.break`, living)
    await expect(takeLock(path, { what })).rejects.toThrow(`another run takes over ${what}`)
  })

  it('is not taken from a process that has another start time only in name', async () => {
    const path = join(folder, 'a.lock')
    await using _ = await takeLock(path, { what })
    const holder = JSON.parse(await readFile(path, 'utf8')) as { started: string }
    await writeFile(path, JSON.stringify({ ...holder, started: '1' }))
    await using lock = await takeLock(path, { what })
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ started: holder.started })
    expect(lock).toBeDefined()
  })

  it('of another host or container is left alone; of an earlier boot, or no lock at all, it is taken', async () => {
    const path = join(folder, 'a.lock')
    const lock = await takeLock(path, { what })
    const holder = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    await lock[Symbol.asyncDispose]()
    for (const change of [{ host: 'elsewhere' }, { container: 'pid:[1]' }]) {
      await writeFile(path, JSON.stringify({ ...holder, pid: 999_999_999, ...change }))
      await expect(takeLock(path, { what })).rejects.toMatchObject({ code: 'locked' })
    }
    for (const content of [JSON.stringify({ ...holder, boot: 'earlier' }), '{"pid":', '']) {
      await writeFile(path, content)
      await (await takeLock(path, { what }))[Symbol.asyncDispose]()
    }
  })

  it('of this user’s runs lies in the state folder under its name', async () => {
    await using _ = await takeHostLocks([{ name: 'port/18000', what, reach: 'user' }], { parent: folder })
    expect(await readdir(await stateFolder(folder))).toEqual(['port_18000.lock'])
  })
})

describe('a lock that is waited for', () => {
  const gpus = ['gpu-GPU-1', 'gpu-GPU-2'].map((name) => ({ name, what: name, reach: 'machine' as const }))

  it('is taken once its holder lets it go, and who is waited for is said once', async () => {
    const said: string[] = []
    let heard = () => {}
    const waits = new Promise<void>((resolve) => (heard = resolve))
    const first = await takeHostLocks(gpus, { parent: folder, owner: 'job gate of acme/engine' })
    const onWaiting = (text: string) => (said.push(text), heard())
    const second = takeHostLocks(gpus, { parent: folder, waitMs: 60_000, onWaiting })
    await waits
    await first[Symbol.asyncDispose]()
    await (await second)[Symbol.asyncDispose]()
    expect(said).toEqual([
      expect.stringMatching(/^waiting for gpu-GPU-1: process \d+ of .*, job gate of acme\/engine, for \d+ s holds it$/),
    ])
    expect(await readdir(await machineFolder(folder))).toEqual([])
  })

  it('is refused with its holder and a mend once the time is over', async () => {
    await using _ = await takeHostLocks(gpus.slice(1), { parent: folder })
    const mend = 'wait for it to end, which lock-wait-minutes does'
    await expect(takeHostLocks(gpus, { parent: folder, waitMs: 60, mend })).rejects.toMatchObject({
      code: 'locked',
      hint: expect.stringMatching(/^wait for it to end, which lock-wait-minutes does; if .* delete .*gpu-GPU-2\.lock$/),
    })
    expect(await readdir(await machineFolder(folder))).toEqual(['gpu-GPU-2.lock'])
  })

  it('is given up when the run is cancelled, with that reason', async () => {
    await using _ = await takeHostLocks(gpus.slice(1), { parent: folder })
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const onWaiting = () => controller.abort(reason)
    const options = { parent: folder, waitMs: 60_000, signal: controller.signal, onWaiting }
    await expect(takeHostLocks(gpus, options)).rejects.toBe(reason)
    expect(await readdir(await machineFolder(folder))).toEqual(['gpu-GPU-2.lock'])
  })
})

describe('the state folder', () => {
  it('is refused when others may write to it or it is a link', async () => {
    const made = await stateFolder(folder)
    await chmod(made, 0o777)
    await expect(stateFolder(folder)).rejects.toMatchObject({ name: 'GateError', code: 'state_folder_unsafe' })
    await rm(made, { recursive: true })
    await symlink(folder, made)
    await expect(stateFolder(folder)).rejects.toMatchObject({ code: 'state_folder_unsafe' })
  })
})

describe('a lock of the whole machine', () => {
  const gpu = { name: 'gpu-GPU-1', what: 'GPU 0 (GPU-1)', reach: 'machine' } as const
  const fileOf = async () => join(await machineFolder(folder), 'gpu-GPU-1.lock')

  it('says who holds it, for whom and for how long', async () => {
    await using _ = await takeHostLocks([gpu], { parent: folder, owner: 'acme/engine run 42' })
    const path = await fileOf()
    const holder = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    await writeFile(path, JSON.stringify({ ...holder, since: new Date(Date.now() - 12 * 60_000).toISOString() }))
    await expect(takeHostLocks([gpu], { parent: folder })).rejects.toThrow(
      `another run (process ${process.pid} of ${ownUser()}, acme/engine run 42, for 12 min) holds GPU 0 (GPU-1)`,
    )
  })

  it('of a dead owner is taken over, and that is said', async () => {
    const first = await takeHostLocks([gpu], { parent: folder, owner: 'acme/engine run 7' })
    const holder = JSON.parse(await readFile(await fileOf(), 'utf8')) as Record<string, unknown>
    await first[Symbol.asyncDispose]()
    await writeFile(await fileOf(), JSON.stringify({ ...holder, pid: 2 ** 22 + 9 }))
    const said: string[] = []
    await using _ = await takeHostLocks([gpu], { parent: folder, onBroken: (text) => said.push(text) })
    expect(said).toEqual([expect.stringMatching(/^took over GPU 0 \(GPU-1\): process 4194313 of .*run 7.* has ended$/)])
  })

  it('of an earlier version, without owner and age, is understood', async () => {
    const first = await takeHostLocks([gpu], { parent: folder })
    const { user, owner, since, ...older } = JSON.parse(await readFile(await fileOf(), 'utf8')) as Record<
      string,
      unknown
    >
    expect([typeof user, owner, typeof since]).toEqual(['string', undefined, 'string'])
    await writeFile(await fileOf(), JSON.stringify(older))
    await expect(takeHostLocks([gpu], { parent: folder })).rejects.toThrow(`(process ${process.pid}) holds GPU 0`)
    await first[Symbol.asyncDispose]()
  })

  it('leaves none behind where another of the same run cannot be had', async () => {
    const other = { ...gpu, name: 'gpu-GPU-2' }
    await using _ = await takeHostLocks([other], { parent: folder })
    await expect(takeHostLocks([gpu, other], { parent: folder })).rejects.toMatchObject({ code: 'locked' })
    expect(await readdir(await machineFolder(folder))).toEqual(['gpu-GPU-2.lock'])
  })

  it('lies where every user’s runs find it, whatever their mask', async () => {
    const mask = process.umask(0o077)
    try {
      expect((await lstat(await machineFolder(folder))).mode & 0o777).toBe(0o777)
      await using _ = await takeHostLocks([gpu], { parent: folder })
      expect((await lstat(await fileOf())).mode & 0o777).toBe(0o644)
    } finally {
      process.umask(mask)
    }
  })

  it('follows no link, waits for no pipe and reads no file without end that lies in its place', async () => {
    const path = await fileOf()
    await symlink('/dev/zero', path)
    await expect(takeHostLocks([gpu], { parent: folder })).rejects.toMatchObject({ name: 'GateError' })
    await rm(path)
    execFileSync('mkfifo', [path])
    await (await takeHostLocks([gpu], { parent: folder }))[Symbol.asyncDispose]()
    await writeFile(path, 'x'.repeat(1_000_000))
    await (await takeHostLocks([gpu], { parent: folder }))[Symbol.asyncDispose]()
  })

  it('is refused a folder that is a link', async () => {
    await symlink(folder, join(folder, 'capacity-gate-machine'))
    await expect(machineFolder(folder)).rejects.toMatchObject({ name: 'GateError' })
  })
})
