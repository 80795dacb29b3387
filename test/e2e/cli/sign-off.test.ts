import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { writePacks } from '../../unit/entry/sign-off-packs.ts'
import { builtAction } from './built-action.ts'
import { cli, scratch } from './cli-process.ts'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const action = builtAction()

it('signs a release off by the built action, which a later job asks for by the command line', async () => {
  const { held, lost, baseline, subjectSha256 } = await writePacks(folder)
  writeFileSync(join(folder, 'accepted.json'), JSON.stringify(baseline))
  mkdirSync(join(folder, '.capacity-gate'))
  writeFileSync(join(folder, '.capacity-gate/sign-off.yaml'), 'requires: [cold, warm]\nvalid_days: 7\n')
  const inputs = {
    command: 'sign-off',
    baseline: `file:${join(folder, 'accepted.json')}`,
    'sign-off-policy': join(folder, '.capacity-gate/sign-off.yaml'),
    'sign-off-subject': `sha256:${subjectSha256}`,
    'allow-simulated': 'true',
  }
  const event = {
    name: 'workflow_dispatch',
    payload: {},
    repository: 'acme/engine',
    apiUrl: 'http://127.0.0.1:9',
    cwd: folder,
  }
  const signed = await action.step({ ...inputs, pack: held }, event)
  expect(signed.log).toContain('SIGNED OFF with exceptions')
  expect([signed.code, signed.outputs['sign-off'], signed.outputs['predicate-path']]).toEqual([
    0,
    'warned',
    'sign-off/sign-off.json',
  ])
  const file = join(folder, 'sign-off/sign-off.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ result: 'WARNED', warnedTests: ['cold', 'warm'] })
  const check = (digest: string) => cli('sign-off', '--check', file, '--subject', digest, '--allow-simulated')
  expect(await check(subjectSha256)).toMatchObject({ code: 0, stderr: '' })
  expect(await check('0'.repeat(64))).toMatchObject({ code: 4, stdout: expect.stringContaining('[subject_differs]') })

  const refused = await action.step({ ...inputs, pack: `${held}\n${lost}` }, event)
  expect([refused.code, refused.outputs['sign-off'], refused.outputs['predicate-path']]).toEqual([2, 'failed', ''])
  expect(refused.log).toMatch(/^::error title=Not signed off::cold is failed: regressed/m)
  expect(await check(subjectSha256)).toMatchObject({ code: 2 })
})
