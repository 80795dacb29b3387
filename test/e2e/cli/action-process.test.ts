import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeGithub } from '../../fakes/github-api.ts'
import { baseline, boots, GUARD, record, result } from '../../unit/gate/record-fixture.ts'
import { actionFile } from '../../unit/entry/action-desk.ts'
import { scratch, start } from './cli-process.ts'
import type { Ended } from './cli-process.ts'
import { embeddedManifest } from './embedded-manifest.ts'

interface Step extends Ended {
  outputs: Record<string, string>
  summary: string
}

/** The action as a runner starts it: inputs, event and files by the environment. */
async function step(inputs: Record<string, string>, event: object, apiUrl: string): Promise<Step> {
  const folder = scratch()
  const [output, summary, payload] = ['output', 'summary', 'event.json'].map((name) => join(folder, name))
  writeFileSync(output ?? '', '')
  writeFileSync(summary ?? '', '')
  writeFileSync(payload ?? '', JSON.stringify(event))
  const given = Object.entries({ ...defaults(), ...inputs })
  const ended = await start('action', [], {
    ...Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    GITHUB_OUTPUT: output ?? '',
    GITHUB_STEP_SUMMARY: summary ?? '',
    GITHUB_EVENT_PATH: payload ?? '',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_REPOSITORY: 'acme/engine',
    GITHUB_API_URL: apiUrl,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '17',
    GITHUB_SHA: 'c'.repeat(40),
  }).ended
  const written = readFileSync(output ?? '', 'utf8')
  const outputs = [...written.matchAll(/^([\w-]+)<<(ghadelimiter_\S+)\n([^]*?)\n\2$/gm)].map(([, name, , value]) => [
    name,
    value,
  ])
  return { ...ended, outputs: Object.fromEntries(outputs), summary: readFileSync(summary ?? '', 'utf8') }
}

function defaults(): Record<string, string> {
  return Object.fromEntries(Object.entries(actionFile.inputs).map(([name, input]) => [name, input.default]))
}

const pull = {
  pull_request: {
    number: 7,
    head: { sha: 'a'.repeat(40), repo: { full_name: 'acme/engine' } },
    base: { sha: 'b'.repeat(40) },
  },
}

it('gates a pack: outputs, summary, annotation, comment, and the verdict’s exit code', async () => {
  await using github = await fakeGithub()
  const pack = scratch()
  const dropped = [
    result('confirm', boots('cold', GUARD.cold, 'fail', 'fail')),
    result('confirm', boots('warm', GUARD.warm, 'pass')),
  ]
  writeFileSync(join(pack, 'capacity.json'), JSON.stringify(record(dropped)))
  const accepted = join(pack, '..', `${Date.now()}-accepted.json`)
  writeFileSync(accepted, JSON.stringify(baseline()))
  const inputs = { command: 'gate', pack, baseline: `file:${accepted}`, 'github-token': 'workflow-token' }
  const ended = await step(inputs, pull, github.url)
  expect(ended.code).toBe(2)
  expect(Object.keys(ended.outputs)).toEqual(Object.keys(actionFile.outputs))
  expect(ended.outputs).toMatchObject({ verdict: 'regressed', 'comment-url': expect.stringMatching(/issuecomment/) })
  expect(ended.summary).toContain('Capacity regressed')
  expect(ended.stdout).toContain('::add-mask::workflow-token')
  expect(ended.stdout).toMatch(/^::error title=Capacity regressed \(cold\)::/m)
  expect(`${ended.stderr}${ended.summary}${JSON.stringify(ended.outputs)}`).not.toContain('workflow-token')
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
  expect(ended.stderr).toMatch(/^error: the input command cannot be "rnu"\nhint: .*did you mean run\?/)
})
