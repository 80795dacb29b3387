import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeHostLock, takeLock } from '../../../../src/adapters/system/locks.ts'
import { stateFolder } from '../../../../src/adapters/system/state-folder.ts'

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

  it('of the host lies in the state folder under its name', async () => {
    await using _ = await takeHostLock('port/18000', { what, parent: folder })
    expect(await readdir(await stateFolder(folder))).toEqual(['port_18000.lock'])
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
