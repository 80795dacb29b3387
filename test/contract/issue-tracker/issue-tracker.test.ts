import { afterEach, describe, expect, it } from 'vitest'
import { githubIssueTracker } from '../../../src/adapters/github/issue-tracker.ts'
import type { IssueTracker } from '../../../src/app/ports/issue-tracker.ts'
import { fakeGithub } from '../../fakes/github-api.ts'
import { fakeIssueTracker } from '../../fakes/issue-tracker.ts'

interface Stage {
  tracker: IssueTracker
  /** Title, body and whether it is open, of every issue in the order of their numbers. */
  issues(): [title: string, body: string, isOpen: boolean][]
  /** The next write must wait for a limit. */
  limit(): void
  /** From now on nothing can be read or written. */
  refuse(): void
}

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item[Symbol.asyncDispose]()
})

const stages: [string, () => Promise<Stage>][] = [
  [
    'the issues of a repository on GitHub',
    async () => {
      const github = await fakeGithub()
      const access = { token: 'workflow-token', apiUrl: github.url, toolVersion: '0.0.0', secondMs: 1 }
      const tracker = githubIssueTracker({ access, place: { owner: 'acme', repo: 'engine' } })
      open.push(github, tracker)
      return {
        tracker,
        issues: () => github.issues.map(({ title, body, state }) => [title, body, state === 'open']),
        limit: () => {
          const text = { status: 403, message: 'You have exceeded a secondary rate limit.' }
          for (const method of ['POST', 'PATCH'])
            github.outages.push({ ...text, method, headers: { 'retry-after': '1' }, times: 1 })
        },
        refuse: () => void github.outages.push({ status: 403, message: 'Resource not accessible by integration' }),
      }
    },
  ],
  [
    'the fake',
    async () => {
      const tracker = fakeIssueTracker()
      return {
        tracker,
        issues: () => tracker.issues.map(({ title, body, isOpen }) => [title, body, isOpen]),
        limit: () => void (tracker.waits = async () => {}),
        refuse: () => void (tracker.refusal = 'no'),
      }
    },
  ],
]

const [A, B] = ['a'.repeat(16), 'b'.repeat(16)]
const due = async () => true
const body = (key: string, facts: string) => `<!-- capacity-gate-drift:${key}:${facts} -->\nlost some\n`

describe.each(stages)('%s', (_, make) => {
  it('lists what it opened, with what its marker says', async () => {
    const { tracker, issues } = await make()
    expect(await tracker.list()).toEqual([])
    await tracker.open({ title: 'one', body: body(A, '1'.repeat(16)) }, due)
    await tracker.open({ title: 'two', body: body(B, '2'.repeat(16)) }, due)
    expect(issues().map(([title, , isOpen]) => [title, isOpen])).toEqual([
      ['one', true],
      ['two', true],
    ])
    const listed = (await tracker.list()).toSorted((one, other) => one.number - other.number)
    expect(listed).toEqual([
      { number: 1, key: A, facts: '1'.repeat(16), closedOn: null, url: expect.stringMatching(/^https:.*\/1$/) },
      { number: 2, key: B, facts: '2'.repeat(16), closedOn: null, url: expect.stringMatching(/^https:.*\/2$/) },
    ])
  })

  it('changes text and state together, keeps a title where none is given, and lists what is closed', async () => {
    const { tracker, issues } = await make()
    await tracker.open({ title: 'one', body: body(A, '1'.repeat(16)) }, due)
    await tracker.update(1, { title: 'deeper', body: body(A, '2'.repeat(16)) }, 'kept', due)
    expect(issues()).toEqual([['deeper', body(A, '2'.repeat(16)), true]])
    await tracker.update(1, { title: null, body: body(A, 'over') }, 'over', due)
    expect(issues()).toEqual([['deeper', body(A, 'over'), false]])
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string
    expect(await tracker.list()).toMatchObject([{ number: 1, facts: 'over', closedOn: day }])
    await tracker.update(1, { title: null, body: body(A, '3'.repeat(16)) }, 'reopened', due)
    expect(await tracker.list()).toMatchObject([{ number: 1, facts: '3'.repeat(16), closedOn: null }])
    await tracker.update(1, { title: null, body: body(A, 'duplicate') }, 'duplicate', due)
    expect(await tracker.list()).toMatchObject([{ number: 1, facts: 'duplicate', closedOn: day }])
  })

  it('does not open what is closed by a change of its text alone', async () => {
    const { tracker, issues } = await make()
    await tracker.open({ title: 'one', body: body(A, '1'.repeat(16)) }, due)
    await tracker.update(1, { title: null, body: body(A, 'over') }, 'over', due)
    await tracker.update(1, { title: null, body: body(A, '2'.repeat(16)) }, 'kept', due)
    expect(issues()).toEqual([['one', body(A, '2'.repeat(16)), false]])
  })

  it('says in a line what is refused', async () => {
    const { tracker, refuse, issues } = await make()
    refuse()
    const text = { title: 'one', body: body(A, '1'.repeat(16)) }
    for (const doing of [
      () => tracker.list(),
      () => tracker.open(text, due),
      () => tracker.update(1, text, 'kept', due),
    ])
      await expect(doing()).rejects.toMatchObject({ code: 'issues_refused', message: expect.stringMatching(/./) })
    expect(issues()).toEqual([])
  })

  it('writes nothing that is no longer due once it may be written', async () => {
    const { tracker, issues, limit } = await make()
    const text = { title: 'one', body: body(A, '1'.repeat(16)) }
    await tracker.open(text, due)
    const outdated = { code: 'issue_outdated' }
    for (const doing of [
      () => tracker.open(text, async () => false),
      () => tracker.update(1, { title: 'two', body: '' }, 'over', async () => false),
    ]) {
      limit()
      await expect(doing()).rejects.toMatchObject(outdated)
    }
    expect(issues()).toEqual([['one', text.body, true]])
  })

  it('writes what is still due once it may be written, and asks only then', async () => {
    const { tracker, issues, limit } = await make()
    let asked = 0
    const isDue = async () => ((asked += 1), true)
    const text = { title: 'one', body: body(A, '1'.repeat(16)) }
    await tracker.open(text, isDue)
    expect(asked).toBe(0)
    limit()
    await tracker.update(1, { title: 'two', body: text.body }, 'kept', isDue)
    expect([asked, issues()]).toEqual([1, [['two', text.body, true]]])
  })
})
