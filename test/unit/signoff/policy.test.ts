import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY, readPolicy } from '../../../src/core/signoff/policy.ts'
import { NOW, SUBJECT } from './sign-off-fixture.ts'

const whole = `requires: [cold, warm, drill]
max_age_days: 14
valid_days: 60
waivers:
  - requirement: drill
    subject: sha256:${SUBJECT}
    by: ada
    reason: the rig is rebuilt
    expires: 2026-12-31
`

const places = (text: string) =>
  readPolicy(text, NOW).findings.map(({ rule, path, line, column }) => `${line}:${column} ${rule} ${path}`)

describe('the policy', () => {
  it('is read whole', () => {
    expect(readPolicy(whole, NOW)).toEqual({
      findings: [],
      value: {
        requires: ['cold', 'warm', 'drill'],
        max_age_days: 14,
        valid_days: 60,
        waivers: [
          {
            requirement: 'drill',
            subject: `sha256:${SUBJECT}`,
            by: 'ada',
            reason: 'the rig is rebuilt',
            expires: '2026-12-31',
          },
        ],
      },
    })
  })

  it('asks for cold and warm, thirty days and ninety, where it says nothing of them', () => {
    expect(DEFAULT_POLICY).toEqual({ requires: ['cold', 'warm'], max_age_days: 30, valid_days: 90, waivers: [] })
    expect(readPolicy('waivers: []\n', NOW).value).toEqual(DEFAULT_POLICY)
  })

  const edit = (from: string, to: string) => whole.replace(from, to)
  it.each<[string, string, string]>([
    ['a key that is misspelt', edit('max_age_days', 'max_age_day'), '2:1 unknown-field max_age_day'],
    ['a requirement that is none', edit('drill]', 'dril]'), '1:24 not-a-choice requires[2]'],
    ['no requirement', edit('[cold, warm, drill]', '[]'), '1:11 out-of-range requires'],
    ['no capacity', edit('[cold, warm, drill]', '[drill]'), '1:11 sign-off-without-capacity requires'],
    ['a requirement twice', edit('[cold, warm, drill]', '[cold, cold]'), '1:18 sign-off-twice requires[1]'],
    ['an age of nothing', edit('14', '0'), '2:15 out-of-range max_age_days'],
    ['an age as text', edit('14', '"14"'), '2:15 wrong-type max_age_days'],
    ['a subject that is no digest', edit(`sha256:${SUBJECT}`, 'v1.2.3'), '6:14 wrong-format waivers[0].subject'],
    ['nobody who answers for it', edit('    by: ada\n', ''), '5:5 missing-field waivers[0].by'],
    ['no reason', edit('the rig is rebuilt', '""'), '8:13 out-of-range waivers[0].reason'],
    ['an end on no day', edit('2026-12-31', '2026-02-30'), '9:14 waiver-without-date waivers[0].expires'],
    ['an end in another form', edit('2026-12-31', '31.12.2026'), '9:14 wrong-format waivers[0].expires'],
    ['an end too far ahead', edit('2026-12-31', '2027-02-25'), '9:14 waiver-too-long waivers[0].expires'],
    [
      'a waiver twice',
      whole + whole.slice(whole.indexOf('  - ')).replace('sha256:', ''),
      '10:5 sign-off-twice waivers[1]',
    ],
    ['a list', '- cold\n', '1:1 yaml-not-a-mapping '],
    ['a tab', 'requires:\n\t- cold\n', '2:1 yaml-tab '],
    ['nothing', '', '1:1 file-empty '],
    ['a key that is every object’s', `__proto__: {requires: [warm]}\n${whole}`, '1:1 forbidden-key '],
  ])('with %s is refused at its place', (_, text, place) => {
    expect(places(text)).toContain(place)
    expect(readPolicy(text, NOW).value).toBeNull()
  })

  it('takes a waiver that ends on the ninetieth day', () => {
    expect(places(edit('2026-12-31', '2027-02-24'))).toEqual([])
  })

  it('names the key that was meant', () => {
    const { findings } = readPolicy(edit('max_age_days', 'max_age_day'), NOW)
    expect(findings).toMatchObject([
      { message: 'the key "max_age_day" is not known at the top level', hint: 'Did you mean `max_age_days`?' },
    ])
    const strange = readPolicy('waivers: []\nowner: me\n', NOW).findings[0]
    expect(strange?.hint).toBe('Remove it. Known keys: requires, max_age_days, valid_days, waivers.')
  })
})
