import { afterEach, describe, expect, it } from 'vitest'
import { githubPublisher } from '../../../src/adapters/github/publisher.ts'
import type { Annotation, Publisher } from '../../../src/app/ports/publisher.ts'
import type { CommentText } from '../../../src/core/report/comment.ts'
import { fakeGithub } from '../../fakes/github-api.ts'
import { fakePublisher } from '../../fakes/publisher.ts'
import { recordingToolkit } from '../../fakes/toolkit.ts'

interface Stage {
  publisher: Publisher
  /** The bodies of all comments that stand. */
  bodies(): string[]
  summary(): string
  annotations(): number
  /** From now on no comment can be written. */
  refuse(): void
  /** From now on the pull request has another head than the one that is told of. */
  moveOn(): void
}

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const item of open.splice(0)) await item[Symbol.asyncDispose]()
})

const stages: [string, () => Promise<Stage>][] = [
  [
    'the publisher for GitHub',
    async () => {
      const github = await fakeGithub()
      const pull = { number: 7, state: 'open' as const, sha: 'a'.repeat(40), head: 'acme:bump' }
      github.pulls.push(pull)
      open.push(github)
      const toolkit = recordingToolkit()
      const access = { token: 'workflow-token', apiUrl: github.url, toolVersion: '0.0.0', secondMs: 1 }
      const comment = { access, place: { owner: 'acme', repo: 'engine', number: 7, measured: pull.sha } }
      return {
        publisher: githubPublisher({ toolkit, comment }),
        bodies: () => github.comments.map(({ body }) => body),
        summary: () => toolkit.summaryText,
        annotations: () => toolkit.annotations.length,
        moveOn: () => void (pull.sha = 'b'.repeat(40)),
        refuse: () => void github.outages.push({ status: 403, message: 'Resource not accessible by integration' }),
      }
    },
  ],
  [
    'the fake publisher',
    async () => {
      const publisher = fakePublisher()
      return {
        publisher,
        bodies: () => [...publisher.comments.values()].map(({ body }) => body),
        summary: () => publisher.summaryText,
        annotations: () => publisher.annotations.length,
        refuse: () => void (publisher.refusal = 'no'),
        moveOn: () => void (publisher.hasMovedOn = true),
      }
    },
  ],
]

const marker = '<!-- capacity-gate:a: -->'
const other = '<!-- capacity-gate:b: -->'

/** A comment that keeps the lines of those before it. */
const textOf = (of: string, line: string): CommentText => ({
  marker: of,
  body: (earlier) => [of, line, ...new Set(earlier.flatMap((body) => body.split('\n').slice(1)))].join('\n'),
  isIn: (body) => body.split('\n').includes(line),
})

describe.each(stages)('%s', (_, make) => {
  it('keeps one comment for each marker, updated in place at the same address', async () => {
    const { publisher, bodies } = await make()
    const first = await publisher.comment(textOf(marker, 'one'))
    const second = await publisher.comment(textOf(marker, 'two'))
    await publisher.comment(textOf(other, 'three'))
    expect(bodies()).toEqual([`${marker}\ntwo\none`, `${other}\nthree`])
    expect(first).toEqual({ url: expect.stringMatching(/^https:/) })
    expect(second).toEqual(first)
  })

  it('writes of a head that is not the newest any more as the text says, and nothing where it says nothing', async () => {
    const { publisher, bodies, moveOn } = await make()
    await publisher.comment(textOf(marker, 'newest'))
    moveOn()
    expect(await publisher.comment(textOf(marker, 'older'))).toEqual({ skipped: expect.stringContaining('moved on') })
    expect(bodies()).toEqual([`${marker}\nnewest`])
    const behind = (earlier: readonly string[]) => `${earlier.join('')}\nolder`
    expect(await publisher.comment({ ...textOf(marker, 'older'), behind })).toMatchObject({ url: expect.any(String) })
    expect(bodies()).toEqual([`${marker}\nnewest\nolder`])
  })

  it('says why a comment could not be written, and does not throw', async () => {
    const stage = await make()
    stage.refuse()
    expect(await stage.publisher.comment(textOf(marker, 'one'))).toEqual({ skipped: expect.stringMatching(/./) })
    expect(stage.bodies()).toEqual([])
  })

  it('adds to the summary', async () => {
    const { publisher, summary } = await make()
    await publisher.summary('## one\n')
    await publisher.summary('two\n')
    expect(summary()).toBe('## one\ntwo\n')
  })

  it('shows at most ten annotations of each level', async () => {
    const { publisher, annotations } = await make()
    const many = (level: Annotation['level']) =>
      Array.from({ length: 14 }, (__, index): Annotation => ({ level, title: 't', message: `m${index}` }))
    publisher.annotate([...many('error'), ...many('warning')])
    expect(annotations()).toBe(20)
  })
})
