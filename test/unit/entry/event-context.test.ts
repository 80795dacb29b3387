import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAction } from '../../../src/entry/action-main.ts'
import type { ActionDesk } from '../../../src/entry/action-desk.ts'
import { readEventContext } from '../../../src/entry/event-context.ts'
import { eventFacts } from '../../../src/entry/event-facts.ts'
import { recordingDesk } from './action-desk.ts'
import { scratch } from './cli-in-process.ts'

const folder = scratch()
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const payload = { pull_request: { number: 7, head: { sha: 'd'.repeat(40), repo: { full_name: 'mallory/engine' } } } }
const env = {
  GITHUB_REPOSITORY: 'acme/engine',
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_SHA: 'a'.repeat(40),
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_RUN_ID: '17',
  GITHUB_EVENT_PATH: file('event.json', JSON.stringify(payload)),
}

describe('a runner’s event', () => {
  it('is read from its environment and its file', () => {
    expect(readEventContext(env)).toEqual({
      eventName: 'pull_request',
      sha: 'a'.repeat(40),
      ref: 'refs/pull/7/merge',
      runId: 17,
      apiUrl: 'https://api.github.com',
      serverUrl: 'https://github.com',
      repo: { owner: 'acme', repo: 'engine' },
      payload,
    })
    const enterprise = { GITHUB_API_URL: 'https://ghe.example/api/v3', GITHUB_SERVER_URL: 'https://ghe.example' }
    expect(readEventContext({ ...env, ...enterprise })).toMatchObject({
      apiUrl: 'https://ghe.example/api/v3',
      serverUrl: 'https://ghe.example',
    })
  })

  it('has no payload where the runner names no file', () => {
    expect(readEventContext({ ...env, GITHUB_EVENT_PATH: undefined }).payload).toEqual({})
  })

  it('says nothing of a pull request in a payload that is no mapping', () => {
    const path = file('list.json', '[1, null]')
    expect(eventFacts(readEventContext({ ...env, GITHUB_EVENT_PATH: path }))).toMatchObject({ pullRequest: null })
  })

  mkdirSync(join(folder, 'folder'))
  it.each([
    ['is cut off', file('cut.json', '{"pull_request": {'), /JSON/],
    ['is empty', file('empty.json', ''), /JSON/],
    ['is not there', join(folder, 'absent.json'), /ENOENT/],
    ['is a folder', join(folder, 'folder'), /EISDIR/],
  ])('whose payload %s is told with its path, and nothing is taken for granted', (_, path, why) => {
    const refused = expect.objectContaining({
      code: 'event_unreadable',
      exitCode: 4,
      message: expect.stringMatching(new RegExp(`${path.replaceAll('.', String.raw`\.`)} .*${why.source}`)),
    })
    expect(() => readEventContext({ ...env, GITHUB_EVENT_PATH: path })).toThrowError(refused)
  })

  it.each([undefined, '', 'engine', '/engine', 'acme/', 'acme/engine/x'])(
    'of the repository %j is none',
    (repository) => {
      const refused = expect.objectContaining({ code: 'repository_unknown', exitCode: 4 })
      expect(() => readEventContext({ ...env, GITHUB_REPOSITORY: repository })).toThrowError(refused)
    },
  )
})

it('a step that cannot read its event fails with two lines, its outputs set, and nothing deployed', async () => {
  const { desk, outputs, publisher, log } = recordingDesk({ command: 'run' })
  const unreadable: ActionDesk = {
    ...desk,
    get facts(): never {
      throw readFailure()
    },
  }
  expect(await runAction(unreadable)).toBe(4)
  expect(log()).toMatch(/^error: cannot read the workflow's event .*\nhint: run the step again.*\n$/)
  expect(outputs).toMatchObject({ verdict: 'invalid' })
  expect(publisher.annotations).toMatchObject([{ level: 'error', message: expect.stringContaining('event') }])
})

function readFailure(): unknown {
  try {
    return readEventContext({ ...env, GITHUB_EVENT_PATH: '/nowhere/event.json' })
  } catch (error) {
    return error
  }
}
