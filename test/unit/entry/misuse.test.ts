import { describe, expect, it } from 'vitest'
import { cli } from './cli-in-process.ts'

describe('help', () => {
  it('names every command, and no other', async () => {
    const { code, stdout, stderr } = await cli('--help')
    expect([code, stderr]).toEqual([0, ''])
    const commands = stdout
      .slice(stdout.indexOf('Commands:'))
      .match(/^ {2}([a-z-]+)(?= )/gm)
      ?.map((name) => name.trim())
    expect(commands).toEqual([
      'init',
      'run',
      'lint',
      'estimate',
      'schedule',
      'profile',
      'replay',
      'analyze',
      'gate',
      'report',
      'explain',
      'verify',
      'calibrate',
      'doctor',
      'import',
      'clean',
      'promote',
      'sign-off',
      'history',
      'plan',
    ])
  })

  it.each([
    'run',
    'lint',
    'schedule',
    'replay',
    'analyze',
    'gate',
    'report',
    'verify',
    'calibrate',
    'doctor',
    'import',
    'promote',
    'history',
    'plan',
  ])('shows an example of %s', async (command) => {
    const { code, stdout, stderr } = await cli(command, '--help')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`Example:\\n {2}capacity-gate ${command} `))
  })
})

describe('misuse', () => {
  it.each([
    [[], /no command was given/, /--help/],
    [['lnt'], /unknown command 'lnt'/, /did you mean lint\?/],
    [['lint', 'x', '--deployible'], /unknown option '--deployible'/, /did you mean --deployable\?/],
    [['lint'], /missing required argument 'manifest'/, /lint --help/],
    [['lint', 'a', 'b'], /too many arguments/, /lint --help/],
    [['schedule', 'm', '--cache'], /option '--cache <state>' argument missing/, /schedule --help/],
    [['schedule', 'm', '--cache', 'hot', '--out', 'o'], /Allowed choices are cold, warm/, /schedule --help/],
    [['run', 'm', '--pack', 'p', '--cache', 'cold,tepid'], /"cold,tepid" is not cold, warm or cold,warm/, /run --help/],
    [['run', 'm', '--pack', 'p', '--budget-minutes', '1_0'], /"1_0" is no number above 0/, /run --help/],
    [['verify'], /missing required argument/, /verify --help/],
    // A misspelt option is not told as the one that is missing for it.
    [['run', 'm', '--pak', 'p'], /unknown option '--pak'/, /did you mean --pack\?/],
    [['run', 'm', '--baseline', 'dir:x', '--plam=sweep'], /unknown option '--plam'/, /did you mean --plan\?/],
    [['run', '--json', 'm', '--', '--pak'], /required option '--pack <dir>' not specified/, /run --help/],
    // The hint is of the command that was called, whatever else is named so.
    [['explain', 'run', '--zzz'], /unknown option '--zzz'/, /explain --help/],
    [['history', 'add', 'run'], /required option '--to <ref>'/, /history add --help/],
  ])('%j ends with 64, one line on what and one on the mend', async (args, what, hint) => {
    const { code, stdout, stderr } = await cli(...args)
    expect([code, stdout]).toEqual([64, ''])
    const [error, mend, ...rest] = stderr.split('\n')
    expect(error).toMatch(new RegExp(`^error: .*(?:${what.source})`))
    expect(mend).toMatch(new RegExp(`^hint: .*(?:${hint.source})`))
    expect(rest).toEqual([''])
  })

  it('shows a stack with --debug alone', async () => {
    expect((await cli('lint', 'absent.yaml')).stderr).not.toContain('    at ')
    expect((await cli('lint', 'absent.yaml', '--debug')).stderr).toMatch(
      /^error: .*\nhint: .*\nGateError: [^]*\n {4}at [^]*caused by: Error: ENOENT/,
    )
  })

  it('lets no argument begin a line or move the cursor', async () => {
    const { stderr } = await cli('lint', 'a\nerror: fake\u001B[2J.yaml')
    expect(stderr.split('\n')).toHaveLength(3)
    expect(stderr).not.toContain('\u001B')
  })
})

it('says its version', async () => {
  expect(await cli('--version')).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})
