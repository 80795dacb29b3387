import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeGithub } from '../../fakes/github-api.ts'
import { boots, GUARD, record, result } from '../../unit/gate/record-fixture.ts'
import { actionFile } from '../../unit/entry/action-desk.ts'
import { builtAction } from './built-action.ts'
import { scratch } from './cli-process.ts'
import { embeddedManifest } from './embedded-manifest.ts'

const action = builtAction()
const step = (inputs: Record<string, string>, payload: object, apiUrl: string) =>
  action.step(inputs, { name: 'pull_request', payload, repository: 'acme/engine', apiUrl })

const pull = {
  pull_request: {
    number: 7,
    head: { sha: 'a'.repeat(40), repo: { full_name: 'acme/engine' } },
    base: { sha: 'b'.repeat(40) },
  },
}

it('gates a pack: outputs, summary, annotation, comment, and the verdict’s exit code', async () => {
  await using github = await fakeGithub()
  const dropped = [
    result('confirm', boots('cold', GUARD.cold, 'fail', 'fail')),
    result('confirm', boots('warm', GUARD.warm, 'pass')),
  ]
  const inputs = action.gating(record(dropped))
  const ended = await step(inputs, pull, github.url)
  expect(ended.code).toBe(2)
  expect(Object.keys(ended.outputs)).toEqual(Object.keys(actionFile.outputs))
  expect(ended.outputs).toMatchObject({ verdict: 'regressed', 'comment-url': expect.stringMatching(/issuecomment/) })
  expect(ended.summary).toContain('Capacity regressed')
  expect(ended.log).toContain('::add-mask::workflow-token')
  expect(ended.log).toMatch(/^::error title=Capacity regressed \(cold\),file=[^,]+,line=\d+,col=\d+::/m)
  const shown = ended.log.replaceAll(/^::add-mask::.*$/gm, '')
  expect(`${shown}${ended.summary}${JSON.stringify(ended.outputs)}`).not.toContain('workflow-token')
  expect(github.comments.map(({ body }) => body.split('\n')[1])).toEqual(['## ❌ Capacity regressed: action needed'])
})

it('runs the embedded engine, and leaves the verdict in every place', async () => {
  const folder = scratch()
  const { path } = await embeddedManifest(folder)
  const pack = join(folder, 'pack')
  const inputs = {
    manifest: path,
    pack,
    plan: 'sweep',
    cache: 'cold',
    'on-missing-baseline': 'record',
    comment: 'never',
  }
  const ended = await step({ ...inputs, baseline: `dir:${join(folder, 'store')}` }, pull, 'http://127.0.0.1:9')
  const verdict = JSON.parse(readFileSync(join(pack, 'verdict.json'), 'utf8'))
  // What a loaded machine measures is not this test's business; that the step says the same everywhere is.
  const codes: Record<string, number> = { recorded: 0, inconclusive: 3, invalid: 4, regressed: 2 }
  expect(ended.code).toBe(codes[verdict.outcome])
  expect(Object.keys(ended.outputs)).toEqual(Object.keys(actionFile.outputs))
  expect(ended.outputs).toMatchObject({ verdict: verdict.outcome, 'pack-path': pack, 'comment-url': '' })
  expect(existsSync(ended.outputs['report-path'] ?? '')).toBe(true)
  expect(ended.summary).toContain('Simulated')
})

it('sets every output of a step that could not begin', async () => {
  const ended = await step({ command: 'rnu' }, {}, 'http://127.0.0.1:9')
  expect(ended.code).toBe(64)
  expect(Object.keys(ended.outputs)).toEqual(Object.keys(actionFile.outputs))
  expect(ended.log).toMatch(/^error: the input command cannot be "rnu"\nhint: .*did you mean run\?/m)
})

it('says in two lines that its event cannot be read, in the step and in its post step', async () => {
  const broken = join(scratch(), 'event.json')
  writeFileSync(broken, '{"pull_request": {')
  const event = {
    name: 'pull_request',
    payload: {},
    repository: 'acme/engine',
    apiUrl: 'http://127.0.0.1:9',
    env: { GITHUB_EVENT_PATH: broken },
  }
  const ended = await action.step({ command: 'gate' }, event)
  expect(ended.code).toBe(4)
  expect(Object.keys(ended.outputs)).toEqual(Object.keys(actionFile.outputs))
  expect(ended.log).toMatch(/^error: cannot read the workflow's event .*event\.json.*\nhint: /m)
  expect(ended.log).not.toMatch(/^ {4}at /m)
  const after = await action.post({ command: 'gate' }, event, {})
  expect([after.code, after.log]).toEqual([0, expect.not.stringMatching(/^ {4}at /m)])
})
