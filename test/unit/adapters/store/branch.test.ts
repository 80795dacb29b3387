import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { branchStore } from '../../../../src/adapters/store/branch.ts'
import type { GateError } from '../../../../src/core/kernel/errors.ts'
import type { Fault, GitServer } from '../../../fakes/git-server.ts'
import { gitServer } from '../../../fakes/git-server.ts'
import { promotion } from '../../../fakes/promotion.ts'
import { capacityRecord } from '../../../fakes/record.ts'

const key = { gateId: 'demo', kind: 'simulated' } as const
const BRANCH = 'capacity-baselines'
const TOKEN = 'ghs_0123456789abcdef'
const LOGIN = Buffer.from(`x-access-token:${TOKEN}`).toString('base64')

let server: GitServer
let scratch: string
beforeEach(async () => {
  server = await gitServer({ token: TOKEN })
  scratch = mkdtempSync(join(tmpdir(), 'branch-'))
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

interface Given {
  url?: string
  token?: string | null
  env?: Record<string, string>
  deadlineMs?: number
  tries?: number
  folder?: string
}

function store({ url = server.url, token = TOKEN, env = {}, folder = '', ...options }: Given = {}) {
  const place = { remote: { url, token }, branch: BRANCH, folder }
  const waits: number[] = []
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  return { ...branchStore(place, { env: { PATH: process.env['PATH'], ...env }, wait, ...options }), waits }
}

const listed = () => server.git('ls-tree', '-r', '--name-only', BRANCH).trim().split('\n')
const isPush = (request: { url?: string | undefined }) => request.url?.includes('git-receive-pack') === true
const isPushed = (request: { method?: string | undefined; url?: string | undefined }) =>
  isPush(request) && request.method === 'POST'

async function failureOf(doing: Promise<unknown>): Promise<GateError> {
  const error = await doing.then(
    () => null,
    (thrown: unknown) => thrown as GateError,
  )
  if (error === null) throw new Error('nothing failed')
  expect(`${error.message} ${error.hint} ${error.stack}`).not.toMatch(new RegExp(`${TOKEN}|${LOGIN}`))
  return error
}

/** The next requests of a kind meet these, one after the other. */
function meet(
  isOne: (request: { method?: string | undefined; url?: string | undefined }) => boolean,
  ...faults: Fault[]
) {
  server.fault = (request) => (isOne(request) ? (faults.shift() ?? null) : null)
}

describe('a branch of accepted records', { timeout: 120_000 }, () => {
  it('that is missing holds nothing, and reading does not make it', async () => {
    expect(await store().load(key)).toEqual({ baseline: null, anchor: null })
    expect(await store().history(key)).toEqual([])
    expect(server.git('for-each-ref')).toBe('')
  })

  it('is made by the first promotion as an orphan, one commit each, and says who, why and from where', async () => {
    const record = capacityRecord({ commit: 'f'.repeat(40) })
    const { path } = await store().accept(record, () => promotion({ run: 'https://x/runs/1', approvedBy: ['eve'] }))
    await store().accept(capacityRecord({ commit: 'e'.repeat(40) }), () => promotion())
    expect(server.git('rev-list', '--count', BRANCH).trim()).toBe('2')
    expect(JSON.parse(server.git('show', path))).toEqual(record)
    const message = server.git('log', '-1', '--format=%B', `${BRANCH}~1`)
    expect(message).toMatch(
      /^Accept the baseline of demo \(simulated\)\n\nthe first one\n\nAccepted-by: ada\nApproved-by: eve\n/,
    )
    expect(message).toContain(`Run: https://x/runs/1\nMeasured-at: ${'f'.repeat(40)}`)
  })

  it('keeps what else lies on it, and lies in its folder', async () => {
    await store().accept(capacityRecord(), () => promotion())
    const before = listed()
    await store({ folder: 'gates/h100' }).accept(capacityRecord(), () => promotion())
    expect(listed()).toEqual(expect.arrayContaining(before))
    expect(listed()).toContain('gates/h100/simulated/demo/promotions/000001.json')
  })

  it('leaves nothing behind in the temporary folder', async () => {
    const env = process.env['TMPDIR']
    process.env['TMPDIR'] = scratch
    try {
      await store().accept(capacityRecord(), () => promotion())
      meet(isPush, { status: 403 })
      await failureOf(store().accept(capacityRecord(), () => promotion()))
      expect(readdirSync(scratch)).toEqual([])
    } finally {
      if (env === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = env
    }
  })

  it('sends the token alone, in no command line, whatever the user’s git is set up with', async () => {
    const log = join(scratch, 'commands')
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    writeFileSync(join(scratch, 'git'), `#!/bin/sh\necho "$@" >> ${log}\nexec ${real} "$@"\n`)
    chmodSync(join(scratch, 'git'), 0o755)
    const host = server.url.replace('/acme/engine.git', '/')
    const [config, hook, traced] = [
      join(scratch, 'config'),
      join(scratch, 'reference-transaction'),
      join(scratch, 'trace'),
    ]
    const settings = `[http "${host}"]\n\textraheader = Authorization: Basic bm9uZTpub25l\n`
    writeFileSync(config, `${settings}[core]\n\thooksPath = ${scratch}\n[commit]\n\tgpgSign = true\n`)
    writeFileSync(hook, '#!/bin/sh\nexit 1\n')
    chmodSync(hook, 0o755)
    const env = {
      PATH: `${scratch}:${process.env['PATH']}`,
      GIT_CONFIG_GLOBAL: config,
      GIT_DIR: '/nowhere',
      GIT_TRACE_CURL: traced,
      GIT_TRACE_REDACT: '0',
    }
    await store({ env }).accept(capacityRecord(), () => promotion())
    expect((await store({ env }).load(key)).baseline).toEqual(capacityRecord())
    expect(new Set(server.requests.flatMap(({ logins }) => logins))).toEqual(new Set([`Basic ${LOGIN}`]))
    expect(server.requests.every(({ logins }) => logins.length <= 1)).toBe(true)
    expect(readFileSync(log, 'utf8')).toMatch(/push/)
    expect(readFileSync(log, 'utf8')).not.toMatch(new RegExp(`${TOKEN}|${LOGIN}`))
    expect(existsSync(traced)).toBe(false)
  })

  it('takes a link on it for no file, and does not follow it', async () => {
    const { path } = await store().accept(capacityRecord(), () => promotion())
    const file = path.slice(BRANCH.length + 1)
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', scratch, ...args], { encoding: 'utf8', stdio: 'pipe' })
    git('clone', '--quiet', '--branch', BRANCH, server.repository, 'clone')
    const link = join(scratch, 'clone', file)
    rmSync(link)
    execFileSync('ln', ['-s', '/etc/hostname', link])
    const identity = ['-c', 'user.name=m', '-c', 'user.email=m@x']
    git('-C', 'clone', ...identity, 'commit', '--quiet', '-am', 'a link')
    git('-C', 'clone', 'push', '--quiet', 'origin', BRANCH)
    await expect(store().load(key)).rejects.toMatchObject({ code: 'record_missing', exitCode: 4 })
  })
})

describe('others who write', { timeout: 120_000 }, () => {
  /** Once, between a promoter's fetch and its push. */
  const between = (act: () => void) => {
    let isDone = false
    server.fault = (request) => {
      if (isPush(request) && !isDone) {
        isDone = true
        act()
      }
      return null
    }
  }

  it('are waited for, and what they wrote is kept', async () => {
    await store().accept(capacityRecord(), () => promotion())
    const aside = server.git('rev-parse', BRANCH).trim()
    await store().accept(capacityRecord({ commit: 'b'.repeat(40) }), () => promotion({ acceptedBy: 'ben' }))
    const bens = server.git('rev-parse', BRANCH).trim()
    server.git('update-ref', `refs/heads/${BRANCH}`, aside)
    between(() => server.git('update-ref', `refs/heads/${BRANCH}`, bens))
    const mine = store()
    await mine.accept(capacityRecord({ commit: 'c'.repeat(40) }), () => promotion())
    expect(mine.waits).toHaveLength(1)
    expect((await store().history(key)).map(({ commit }) => commit?.[0])).toEqual([undefined, 'b', 'c'])
    expect(listed().filter((name) => name.includes('promotions'))).toHaveLength(3)
  })

  it('who took the last promotion back are not overruled by one that did not know', async () => {
    await store().accept(capacityRecord(), () => promotion())
    const first = server.git('rev-parse', BRANCH).trim()
    await store().accept(capacityRecord({ commit: 'b'.repeat(40) }), () => promotion())
    between(() => server.git('update-ref', `refs/heads/${BRANCH}`, first))
    await store().accept(capacityRecord({ commit: 'c'.repeat(40) }), () => promotion())
    expect((await store().history(key)).map(({ commit }) => commit?.[0])).toEqual([undefined, 'c'])
  })

  it('who are always first end it with a clear error, after a bounded number of tries', async () => {
    let tree = ''
    server.fault = (request) => {
      if (!isPush(request) || request.method === 'POST') return null
      tree ||= server.git('hash-object', '-t', 'tree', '-w', '/dev/null').trim()
      const args = [
        '-c',
        'user.name=m',
        '-c',
        'user.email=m@x',
        'commit-tree',
        tree,
        '-m',
        String(server.requests.length),
      ]
      server.git('update-ref', `refs/heads/${BRANCH}`, server.git(...args).trim())
      return null
    }
    const busy = store({ tries: 6 })
    const error = await failureOf(busy.accept(capacityRecord(), () => promotion()))
    expect(error).toMatchObject({ code: 'store_busy', exitCode: 1 })
    expect(busy.waits).toHaveLength(5)
    expect(Math.max(...busy.waits)).toBeLessThanOrEqual(5000)
  })
})

describe('a branch that is rewritten while it is written to', { timeout: 120_000 }, () => {
  /** One commit without the ones before it in the branch's place, or none; what nothing leads to is removed at once. */
  function rewrite(isRemoved: boolean): void {
    const tree = server.git('rev-parse', `${BRANCH}^{tree}`).trim()
    const commit = server.git('-c', 'user.name=m', '-c', 'user.email=m@x', 'commit-tree', tree, '-m', 'squashed').trim()
    server.git('update-ref', ...(isRemoved ? ['-d', `refs/heads/${BRANCH}`] : [`refs/heads/${BRANCH}`, commit]))
    server.git('gc', '--prune=now', '--quiet')
  }

  it.each([
    ['to one commit', false, 3],
    ['to nothing', true, 1],
  ])('%s is written to anew', async (_, isRemoved, records) => {
    const on = (day: number) => capacityRecord({ createdAt: `2026-01-0${day}T00:00:00.000Z` })
    for (const day of [1, 2]) await store().accept(on(day), () => promotion())
    let isFirst = true
    server.fault = (request) => {
      if (!isPush(request) || request.method !== 'POST' || !isFirst) return null
      isFirst = false
      rewrite(isRemoved)
      return null
    }
    await store().accept(on(3), () => promotion())
    expect(await store().history(key)).toHaveLength(records)
  })

  it('each time is told as that, and not as a refusal', async () => {
    await store().accept(capacityRecord(), () => promotion())
    let commits = 0
    server.fault = (request) => {
      if (!isPush(request) || request.method !== 'POST') return null
      const tree = server.git('rev-parse', `${BRANCH}^{tree}`).trim()
      const words = ['-c', 'user.name=m', '-c', 'user.email=m@x', 'commit-tree', tree, '-m', String((commits += 1))]
      server.git('update-ref', `refs/heads/${BRANCH}`, server.git(...words).trim())
      return null
    }
    const late = store()
    const error = await failureOf(late.accept(capacityRecord({ commit: 'b'.repeat(40) }), () => promotion()))
    expect(error).toMatchObject({ code: 'store_rewritten', exitCode: 1, hint: expect.stringContaining('rewritten') })
    expect(late.waits).toHaveLength(3)
  })
})

describe('a server that refuses', { timeout: 120_000 }, () => {
  it.each<[string, number, RegExp, RegExp]>([
    ['store_login_refused', 401, /does not accept the login/, /github-token/],
    ['store_forbidden', 403, /may not do this/, /contents: read to compare and contents: write to promote/],
    ['store_not_found', 404, /no such repository/, /address/],
  ])('%s: HTTP %i is told at once, to readers and writers', async (code, status, what, hint) => {
    server.fault = () => ({ status })
    const reader = store()
    for (const doing of [() => reader.load(key), () => reader.accept(capacityRecord(), () => promotion())]) {
      const error = await failureOf(doing())
      expect([error.code, error.exitCode, error.message, error.hint]).toEqual([
        code,
        1,
        expect.stringMatching(what),
        expect.stringMatching(hint),
      ])
    }
    expect(reader.waits).toEqual([])
  })

  it('a push for want of permission leaves the branch as it was', async () => {
    await store().accept(capacityRecord(), () => promotion())
    const before = server.git('rev-parse', BRANCH)
    meet(isPush, { status: 403 })
    const error = await failureOf(store().accept(capacityRecord({ commit: 'b'.repeat(40) }), () => promotion()))
    expect(error).toMatchObject({ code: 'store_forbidden', exitCode: 1 })
    expect(server.git('rev-parse', BRANCH)).toBe(before)
  })

  it('a protected branch is told with what the server says', async () => {
    writeFileSync(
      join(server.repository, 'hooks/pre-receive'),
      '#!/bin/sh\necho "GH006: Protected branch" >&2\nexit 1\n',
    )
    chmodSync(join(server.repository, 'hooks/pre-receive'), 0o755)
    const refused = store()
    const error = await failureOf(refused.accept(capacityRecord(), () => promotion()))
    expect(error).toMatchObject({ code: 'store_push_refused', exitCode: 1 })
    expect(error.message).toMatch(/pre-receive hook declined.*GH006: Protected branch/)
    expect(error.hint).toMatch(/branch protection.*still in its pack/)
    expect(refused.waits).toEqual([])
  })
})

describe('a server that fails', { timeout: 120_000 }, () => {
  it.each<[string, Fault[]]>([
    ['a 503 and a 500', [{ status: 503 }, { status: 500 }]],
    ['connections that are cut', ['hang up', 'hang up', 'hang up']],
  ])('is asked again: %s', async (_, faults) => {
    meet(() => true, ...faults)
    const patient = store()
    await patient.accept(capacityRecord(), () => promotion())
    expect(patient.waits.length).toBeGreaterThan(0)
    expect((await store().load(key)).baseline).toEqual(capacityRecord())
  })

  it('to answer a push that it took is not given the same promotion twice', async () => {
    meet(isPushed, 'answer, then hang up')
    await store().accept(capacityRecord(), () => promotion())
    expect(listed().filter((name) => name.includes('promotions'))).toEqual(['simulated/demo/promotions/000001.json'])
  })

  it('for good is told after a few tries', async () => {
    server.fault = () => ({ status: 502 })
    const patient = store()
    expect(await failureOf(patient.load(key))).toMatchObject({ code: 'store_unreachable', exitCode: 1 })
    expect(patient.waits).toHaveLength(3)
  })

  it('to answer at all is left at the deadline', async () => {
    server.fault = () => 'silence'
    const error = await failureOf(store({ deadlineMs: 1000 }).load(key))
    expect(error).toMatchObject({ code: 'store_timed_out', exitCode: 1, message: expect.stringMatching(/within 1 s/) })
  })

  it('to be there is unreachable, and its address shown without a password', async () => {
    const error = await failureOf(store({ url: 'http://user:hunter22@127.0.0.1:9/x.git', token: null }).load(key))
    expect(error).toMatchObject({ code: 'store_unreachable', exitCode: 1 })
    expect(error.message).not.toContain('hunter22')
  })

  it('nothing without git, and says so', async () => {
    const error = await failureOf(store({ env: { PATH: scratch } }).load(key))
    expect(error).toMatchObject({ code: 'git_missing', exitCode: 1, hint: expect.stringContaining('dir:PATH') })
  })
})
