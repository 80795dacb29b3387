import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeChecksums } from '../../../src/app/run/checksums.ts'
import { openPack } from '../../../src/adapters/system/pack.ts'
import { runAction } from '../../../src/entry/action-main.ts'
import { statement } from '../signoff/sign-off-fixture.ts'
import { recordingDesk } from './action-desk.ts'
import { cli, scratch } from './cli-in-process.ts'
import { writePacks } from './sign-off-packs.ts'
import type { WrittenPacks } from './sign-off-packs.ts'

const folder = scratch()
let packs: WrittenPacks
let store: string
beforeAll(async () => {
  packs = await writePacks(folder)
  store = `file:${join(folder, 'accepted.json')}`
  writeFileSync(join(folder, 'accepted.json'), JSON.stringify(packs.baseline))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let outs = 0
const newOut = () => join(folder, `out-${(outs += 1)}`)
const write = (name: string, content: string | object) => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Signs off into a folder of its own, simulated packs allowed. */
async function signOff(...args: string[]) {
  const out = newOut()
  const ended = await cli('sign-off', ...args, '--out', out, '--allow-simulated', '--json')
  return { ...ended, out, json: ended.stdout === '' ? null : JSON.parse(ended.stdout) }
}

const policyWith = (by: string, expires: string) => `requires: [cold, warm]
waivers:
  - { requirement: cold, subject: "${packs.subjectSha256}", by: ${by}, reason: known, expires: ${expires} }
  - { requirement: warm, subject: "${packs.subjectSha256}", by: ${by}, reason: known, expires: ${expires} }
`
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('sign-off', () => {
  it('verifies a pack that holds, and writes the predicate and its page', async () => {
    const { code, stderr, json, out } = await signOff(packs.held, '--subject', packs.subjectSha256, '--baseline', store)
    expect([code, stderr]).toEqual([0, ''])
    const predicate = JSON.parse(readFileSync(join(out, 'sign-off.json'), 'utf8'))
    expect(json).toEqual({ predicatePath: join(out, 'sign-off.json'), reportPath: join(out, 'sign-off.md'), predicate })
    expect(predicate).toMatchObject({
      result: 'WARNED',
      passedTests: [],
      warnedTests: ['cold', 'warm'],
      failedTests: [],
      capacityGateSignOff: {
        simulated: true,
        refusals: [],
        subject: { digest: packs.subjectSha256, kind: 'subject_hash' },
      },
    })
    expect(readFileSync(join(out, 'sign-off.md'), 'utf8')).toMatch(
      /^## ⚠️ Signed off with exceptions: .*\n\nSimulated: /,
    )
  })

  it('says it on a terminal, a line a requirement', async () => {
    const { code, stdout } = await cli(
      'sign-off',
      packs.held,
      '--out',
      newOut(),
      '--allow-simulated',
      '--baseline',
      store,
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^SIGNED OFF with exceptions: capacity-gate-subject\/fixture\/.*\nSimulated: .*\n {2}cold warned: held: .*\n {2}warm warned: held: .*\n/,
    )
  })

  it('refuses simulated packs where they are not allowed', async () => {
    const { code, stdout } = await cli('sign-off', packs.held, '--out', newOut())
    expect([code, stdout]).toEqual([4, expect.stringContaining('[pack_simulated]')])
  })

  it('fails for a loss, and takes a named waiver that still holds', async () => {
    expect(await signOff(packs.lost)).toMatchObject({ code: 2, json: { predicate: { result: 'FAILED' } } })
    const policy = write('waived.yaml', policyWith('ada', inDays(20)))
    expect(await signOff(packs.lost, '--policy', policy)).toMatchObject({
      code: 0,
      json: { predicate: { result: 'WARNED', warnedTests: ['cold', 'warm'] } },
    })
    const expired = write('expired.yaml', policyWith('ada', inDays(-2)))
    expect(await signOff(packs.lost, '--policy', expired)).toMatchObject({ code: 2 })
  })

  it('takes every pack of a folder, and counts by the worst', async () => {
    const both = join(folder, 'both')
    cpSync(packs.held, join(both, 'a'), { recursive: true })
    cpSync(packs.lost, join(both, 'b'), { recursive: true })
    const { code, json } = await signOff(both)
    expect(code).toBe(2)
    expect(json.predicate.capacityGateSignOff.requirements[0].evidence).toHaveLength(2)
  })

  it('takes a drill that is about the subject, and refuses one that is not', async () => {
    const own = { subject: [{ digest: { sha256: packs.subjectSha256 } }] }
    const finishedOn = new Date().toISOString()
    const drill = write('drill.json', statement(own, { finishedOn }))
    const args = [packs.held, '--requires', 'cold,warm,drill']
    expect(await signOff(...args)).toMatchObject({ code: 3, json: { predicate: { failedTests: ['drill'] } } })
    expect(await signOff(...args, '--evidence', `drill=${drill}`)).toMatchObject({
      code: 0,
      json: { predicate: { passedTests: ['drill'] } },
    })
    const other = write('other.json', statement({}, { finishedOn }))
    expect(await signOff(...args, '--evidence', `drill=${other}`)).toMatchObject({ code: 4 })
  })

  it('refuses a verdict against a record that nobody accepted', async () => {
    const empty = join(folder, 'empty-store')
    mkdirSync(empty)
    const { code, json } = await signOff(packs.held, '--baseline', `dir:${empty}`)
    expect([code, json.predicate.capacityGateSignOff.refusals[0].code]).toEqual([4, 'baseline_not_accepted'])
  })

  it.each<[string, string[], RegExp]>([
    ['no pack', [], /no pack is named/],
    ['a subject that is no digest', ['--subject', 'v1', 'pack'], /the subject is no digest/],
    ['a requirement that is none', ['--requires', 'colt', 'pack'], /"colt" are no requirements/],
    ['requirements without a capacity', ['--requires', 'drill', 'pack'], /are no requirements/],
    ['evidence of a capacity', ['--evidence', 'cold=x.json', 'pack'], /names no test result/],
    [
      'packs beside a check',
      ['--check', 'x', '--subject', 'a'.repeat(64), 'pack'],
      /--check reads a sign-off, and no packs/,
    ],
    ['a check without a subject', ['--check', 'x'], /no subject is named/],
  ])('is misused with %s', async (_, args, message) => {
    const { code, stderr } = await cli('sign-off', ...args, '--out', newOut())
    expect([code, stderr]).toEqual([64, expect.stringMatching(message)])
  })

  it('says how to do without a policy that is not there', async () => {
    const { code, stderr } = await cli('sign-off', packs.held, '--policy', 'none.yaml', '--out', newOut())
    expect(code).toBe(4)
    expect(stderr).toMatch(/cannot read the policy none\.yaml[^]*hint: write it.*set sign-off-policy to nothing/)
  })

  it('names every finding of a policy at its place, and leaves no earlier record', async () => {
    const out = newOut()
    await cli('sign-off', packs.held, '--allow-simulated', '--out', out)
    expect(existsSync(join(out, 'sign-off.json'))).toBe(true)
    const policy = write('broken.yaml', 'requires: [cold]\nmax_age: 3\nwaiver: []\n')
    const { code, stderr } = await cli('sign-off', packs.held, '--policy', policy, '--out', out)
    expect(code).toBe(4)
    expect(stderr.split('\n').filter((line) => line.startsWith(policy))).toEqual([
      `${policy}:2:1: error: max_age: the key "max_age" is not known at the top level [unknown-field]`,
      `${policy}:3:1: error: waiver: the key "waiver" is not known at the top level [unknown-field]`,
    ])
    expect(stderr).toContain(`error: ${policy}:2:1: `)
    expect(existsSync(join(out, 'sign-off.json'))).toBe(false)
    expect(existsSync(join(out, 'sign-off.md'))).toBe(false)
  })
})

describe('a pack that cannot be trusted is refused, never thrown over:', () => {
  const copy = (name: string, spoil: (path: string) => void) => {
    const path = join(folder, `spoilt-${name}`)
    cpSync(packs.held, path, { recursive: true })
    spoil(path)
    return path
  }
  const edit = (path: string, file: string, change: (text: string) => string) => {
    const at = join(path, file)
    writeFileSync(at, change(readFileSync(at, 'utf8')))
  }

  it.each<[string, (path: string) => void, string]>([
    [
      'a verdict that was edited',
      (path) => edit(path, 'verdict.json', (text) => text.replace('"held"', '"improved"')),
      'pack_altered',
    ],
    ['a file that was added', (path) => writeFileSync(join(path, 'x'), ''), 'pack_altered'],
    ['no capacity.json', (path) => rmSync(join(path, 'capacity.json')), 'pack_incomplete'],
    ['a capacity.json of nothing', (path) => writeFileSync(join(path, 'capacity.json'), 'null'), 'record_invalid'],
    [
      'a record with prototype keys',
      (path) => writeFileSync(join(path, 'capacity.json'), '{"__proto__":{"schema":1}}'),
      'record_invalid',
    ],
    [
      'a link out of the pack',
      (path) => {
        rmSync(join(path, 'capacity.json'))
        symlinkSync('/etc/passwd', join(path, 'capacity.json'))
      },
      '',
    ],
    [
      'nothing at all',
      (path) => {
        rmSync(path, { recursive: true })
        mkdirSync(path)
      },
      'pack_incomplete',
    ],
    ['no folder', (path) => rmSync(path, { recursive: true }), 'pack_not_found'],
  ])('%s', async (name, spoil, expected) => {
    const path = copy(name.replaceAll(/\W/g, '-'), spoil)
    const { code, json } = await signOff(path)
    const { refusals } = json.predicate.capacityGateSignOff
    expect(code).toBe(4)
    expect(refusals.map(({ code: found }: { code: string }) => found)[0]).toMatch(
      expected === '' ? /./ : new RegExp(`^${expected}$`),
    )
    expect(json.predicate.result).toBe('FAILED')
  })

  it('a verdict whose checksums were made good', async () => {
    const path = copy('sealed', (at) => edit(at, 'verdict.json', (text) => text.replaceAll('"held"', '"improved"')))
    await writeChecksums(await openPack(path))
    const { code, json } = await signOff(path)
    expect([code, json.predicate.capacityGateSignOff.refusals[0].text]).toEqual([
      4,
      expect.stringContaining('verdict.json'),
    ])
  })
})

describe('sign-off --check', () => {
  const check = (file: string, ...args: string[]) => cli('sign-off', '--check', file, ...args)

  it('holds for its subject, and for no other', async () => {
    const { out } = await signOff(packs.held)
    const file = join(out, 'sign-off.json')
    expect(await check(file, '--subject', packs.subjectSha256, '--allow-simulated')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/holds until/),
    })
    expect(await check(file, '--subject', packs.subjectSha256)).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('[sign_off_simulated]'),
    })
    const other = await check(file, '--subject', '0'.repeat(64), '--allow-simulated')
    expect(other).toMatchObject({ code: 4, stdout: expect.stringMatching(/^NOT SIGNED OFF\n.*\[subject_differs\]\n$/) })
    const more = await check(file, '--subject', packs.subjectSha256, '--allow-simulated', '--requires', 'cold,parity')
    expect(more).toMatchObject({ code: 3, stdout: expect.stringContaining('it was not asked for parity') })
  })

  it('refuses what is no sign-off', async () => {
    expect(await check(write('x.json', '{}'), '--subject', 'a'.repeat(64))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('is no in-toto test result'),
    })
  })
})

describe('the action', () => {
  const inputs = (over: Record<string, string> = {}) => ({
    command: 'sign-off',
    pack: `\n  ${packs.held}\n`,
    baseline: store,
    'allow-simulated': 'true',
    'sign-off-policy': '',
    ...over,
  })

  /** In a folder of the test's own: the record goes into the workspace. */
  async function step(over: Record<string, string> = {}) {
    const recorded = recordingDesk(inputs(over))
    const before = process.cwd()
    process.chdir(folder)
    try {
      return { ...recorded, code: await runAction(recorded.desk) }
    } finally {
      process.chdir(before)
    }
  }

  it('sets what an attestation takes, and shows the record', async () => {
    const { code, outputs, publisher, log } = await step()
    expect(code).toBe(0)
    expect(outputs).toMatchObject({
      'sign-off': 'warned',
      'predicate-path': 'sign-off/sign-off.json',
      'subject-name': expect.stringMatching(/^capacity-gate-subject\/fixture\//),
      'subject-digest': `sha256:${packs.subjectSha256}`,
      verdict: '',
    })
    expect(JSON.parse(readFileSync(join(folder, 'sign-off/sign-off.json'), 'utf8'))).toMatchObject({
      url: 'https://github.com/acme/engine/actions/runs/17',
    })
    expect(publisher.summaryText).toContain('Signed off with exceptions')
    expect(publisher.annotations).toEqual([])
    expect(log()).toMatch(/^SIGNED OFF with exceptions/)
  })

  it('gives an attestation nothing where nothing was signed off, and says why on the summary and in annotations', async () => {
    const { code, outputs, publisher } = await step({ pack: packs.lost })
    expect([code, outputs['sign-off'], outputs['predicate-path']]).toEqual([2, 'failed', ''])
    expect(publisher.summaryText).toContain('❌ Not signed off')
    expect(publisher.annotations[0]).toMatchObject({
      level: 'error',
      title: 'Not signed off',
      message: expect.stringMatching(/^cold is failed: regressed/),
    })
    const kept = JSON.parse(readFileSync(join(folder, 'sign-off/sign-off.json'), 'utf8'))
    expect(kept.result).toBe('FAILED')
  })

  it('wants its policy, whose findings stand on its lines', async () => {
    const absent = await step({ 'sign-off-policy': '.capacity-gate/sign-off.yaml' })
    expect([absent.code, absent.outputs['predicate-path']]).toEqual([4, ''])
    expect(absent.log()).toContain('sign-off.yaml: no such file')
    const policy = write('action-policy.yaml', 'requires: [cold, wam]\n')
    const { code, publisher } = await step({ 'sign-off-policy': policy })
    expect(code).toBe(4)
    expect(publisher.annotations[0]).toMatchObject({
      file: policy,
      line: 1,
      column: 18,
      message: expect.stringContaining('Did you mean warm?'),
    })
  })

  it('checks a sign-off for the subject that is to be used', async () => {
    const { out } = await signOff(packs.held)
    const over = { 'sign-off-check': join(out, 'sign-off.json'), 'sign-off-subject': packs.subjectSha256 }
    expect(await step(over)).toMatchObject({ code: 0, outputs: { 'sign-off': 'warned' } })
    const other = await step({ ...over, 'sign-off-subject': '0'.repeat(64) })
    expect(other).toMatchObject({ code: 4, outputs: { 'sign-off': 'failed' } })
    expect(other.publisher.summaryText).toContain('The sign-off does not hold')
  })
})
