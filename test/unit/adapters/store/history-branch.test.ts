import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { historyBranch } from '../../../../src/adapters/store/history-branch.ts'
import { addToHistory, compactBefore } from '../../../../src/app/history.ts'
import { PAGE_MARK } from '../../../../src/core/report/trend/page.ts'
import { historyLine, readHistory } from '../../../../src/core/history/lines.ts'
import type { GitServer } from '../../../fakes/git-server.ts'
import { gitServer } from '../../../fakes/git-server.ts'
import { historyPoint, night, nights, wavering } from '../../history/point-fixture.ts'

const BRANCH = 'capacity-history'
const TOKEN = 'ghs_0123456789abcdef'

let server: GitServer
beforeEach(async () => {
  server = await gitServer({ token: TOKEN })
})
afterEach(() => server[Symbol.asyncDispose]())

/** The page says how many lines it was drawn of. */
const drawPage = (text: string) => `${PAGE_MARK}<p>${text.trimEnd().split('\n').length} lines</p>\n`

const page = (lines: number) => drawPage('x\n'.repeat(lines))

function store({ folder = '', draws = true }: { folder?: string; draws?: boolean } = {}) {
  const address = { remote: { url: server.url, token: TOKEN }, branch: BRANCH, folder }
  const waits: number[] = []
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  const options = { env: { PATH: process.env['PATH'] }, wait, drawPage: draws ? drawPage : null }
  return { ...historyBranch(address, options), waits }
}

const isPush = (request: { url?: string | undefined }) => request.url?.includes('git-receive-pack') === true
const show = (path: string, at = BRANCH) => server.git('show', `${at}:${path}`)
const commits = () => server.git('rev-list', '--count', BRANCH).trim()
const point = (index: number) => historyPoint({ at: night(index) })

describe('a history on a branch', { timeout: 120_000 }, () => {
  it('that is missing is empty, and reading does not make it', async () => {
    expect(await store().read()).toBe('')
    expect(server.git('for-each-ref')).toBe('')
  })

  it('is an orphan with lines and page, always of one commit, which says what was added', async () => {
    await addToHistory(store(), [point(0), historyPoint({ at: night(0), cache: 'warm' })])
    await addToHistory(store(), [point(1)])
    expect(commits()).toBe('2')
    expect(server.git('ls-tree', '-r', '--name-only', BRANCH)).toBe('history.jsonl\nindex.html\n')
    expect(show('history.jsonl', `${BRANCH}~1`).trimEnd().split('\n')).toHaveLength(2)
    expect([show('index.html', `${BRANCH}~1`), show('index.html')]).toEqual([page(2), page(3)])
    expect(server.git('log', '-1', '--format=%B', `${BRANCH}~1`).trim()).toBe(
      'Add dense-70b, cold; dense-70b, warm of https://github.com/acme/serving/actions/runs/101',
    )
    expect(await store().read()).toBe(show('history.jsonl'))
  })

  it('makes no commit where a run is there already', async () => {
    await addToHistory(store(), [point(0)])
    expect(await addToHistory(store(), [point(0)])).toMatchObject({ added: [], known: 1 })
    expect(commits()).toBe('1')
  })

  it('lies in its folder beside what else is there, and without a page where none is wanted', async () => {
    await addToHistory(store(), [point(0)])
    await addToHistory(store({ folder: 'nightly/h100', draws: false }), [point(1)])
    const names = server.git('ls-tree', '-r', '--name-only', BRANCH).trim().split('\n')
    expect(names).toEqual(['history.jsonl', 'index.html', 'nightly/h100/history.jsonl'])
    expect(show('history.jsonl').trimEnd().split('\n')).toHaveLength(1)
  })

  it('replaces no page that is somebody else’s, and is then not written itself', async () => {
    const blob = server.git('hash-object', '-w', '--stdin').trim()
    const tree = join(server.repository, 'tree')
    writeFileSync(tree, `100644 blob ${blob}\tindex.html\n`)
    const made = execFileSync('git', ['-C', server.repository, 'mktree'], {
      input: readFileSync(tree),
      encoding: 'utf8',
    })
    const identity = ['-c', 'user.name=m', '-c', 'user.email=m@x']
    const commit = server.git(...identity, 'commit-tree', made.trim(), '-m', 'a site').trim()
    server.git('update-ref', `refs/heads/${BRANCH}`, commit)
    await expect(addToHistory(store(), [point(0)])).rejects.toMatchObject({
      code: 'page_foreign',
      exitCode: 4,
      message: expect.stringMatching(/^capacity-history:index\.html /),
    })
    expect(server.git('ls-tree', '-r', '--name-only', BRANCH)).toBe('index.html\n')
  })

  it('is compacted in one commit', async () => {
    const several = nights(wavering(3)).flatMap((one) => [one, historyPoint({ at: one.at.replace('T02', 'T03') })])
    await addToHistory(store(), several)
    expect(await compactBefore(store(), night(9).slice(0, 10))).toMatchObject({ before: 6, after: 3 })
    expect([commits(), show('index.html')]).toEqual(['2', page(3)])
  })

  it('tells nothing of itself to a commit’s message but one line', async () => {
    await addToHistory(store(), [historyPoint({ series: `evil\n\nSigned-off-by: root\u{1b}[31m${'x'.repeat(150)}` })])
    expect(server.git('log', '-1', '--format=%B', BRANCH).trim().split('\n')).toHaveLength(1)
  })
})

describe('others who write', { timeout: 120_000 }, () => {
  it('lose nothing to a run that is added meanwhile, and the page is of both', async () => {
    await addToHistory(store(), [point(0)])
    const before = server.git('rev-parse', BRANCH).trim()
    await addToHistory(store(), [point(1)])
    const bens = server.git('rev-parse', BRANCH).trim()
    server.git('update-ref', `refs/heads/${BRANCH}`, before)
    let isDone = false
    server.fault = (request) => {
      if (isPush(request) && !isDone) {
        isDone = true
        server.git('update-ref', `refs/heads/${BRANCH}`, bens)
      }
      return null
    }
    const mine = store()
    await addToHistory(mine, [point(2)])
    expect(mine.waits).toHaveLength(1)
    expect(readHistory(show('history.jsonl')).points.map(({ at }) => at)).toEqual([night(0), night(1), night(2)])
    expect(show('index.html')).toBe(page(3))
  })

  it('do not add a run twice where the answer to its push was lost', async () => {
    let isCut = false
    server.fault = (request) => {
      if (isCut || !isPush(request) || request.method !== 'POST') return null
      isCut = true
      return 'answer, then hang up'
    }
    await addToHistory(store(), [point(0)])
    expect([commits(), show('history.jsonl')]).toEqual(['1', historyLine(point(0))])
  })
})

describe('a server that refuses', { timeout: 120_000 }, () => {
  it('names the history and the permission, and leaves the branch as it was', async () => {
    await addToHistory(store(), [point(0)])
    server.fault = (request) => (isPush(request) ? { status: 403 } : null)
    await expect(addToHistory(store(), [point(1)])).rejects.toMatchObject({
      code: 'store_forbidden',
      exitCode: 1,
      message: expect.stringMatching(/^cannot write the history in capacity-history of http/),
      hint: expect.stringMatching(/contents: write.*to keep a history/),
    })
    expect(commits()).toBe('1')
  })

  it('by a rule on the branch is told with its words', async () => {
    const hook = join(server.repository, 'hooks/pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho "GH013: Repository rule violations" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    await expect(addToHistory(store(), [point(0)])).rejects.toMatchObject({
      code: 'store_push_refused',
      message: expect.stringMatching(/GH013/),
    })
  })
})
