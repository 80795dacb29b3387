import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'

const workflows = join(import.meta.dirname, '../../../.github/workflows')

/** The script of a named step, as it stands in the workflow. */
function stepOf(file: string, job: string, name: string): string {
  const { jobs } = parse(readFileSync(join(workflows, file), 'utf8'))
  const steps: { name?: string; run?: string }[] = jobs[job].steps
  const found = steps.find((step) => step.name === name)
  if (found?.run === undefined) throw new Error(`${file} has no step ${name}`)
  return found.run
}

/** A folder with a `gh` that writes down what it is asked for, and answers as told. */
function desk(answer = 'exit 0') {
  const folder = mkdtempSync(join(tmpdir(), 'release-steps-'))
  const [asked, outputs] = [join(folder, 'asked'), join(folder, 'outputs')]
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/gh'), `#!/bin/sh\necho "$*" >> "${asked}"\n${answer}\n`)
  chmodSync(join(folder, 'bin/gh'), 0o755)
  const bash = (cwd: string, script: string, env: Record<string, string> = {}) =>
    spawnSync('bash', ['--noprofile', '--norc', '-e', '-c', script], {
      cwd,
      encoding: 'utf8',
      env: {
        PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
        HOME: folder,
        RUNNER_TEMP: folder,
        GITHUB_OUTPUT: outputs,
        GIT_CONFIG_NOSYSTEM: '1',
        GH_REPO: 'acme/capacity-gate',
        ...env,
      },
    })
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  return { folder, bash, asked: () => read(asked), outputs: () => read(outputs) }
}

/** A repository with a dist of two files, whose first is executable, and its clone on a branch of Dependabot's. */
function repository(at: ReturnType<typeof desk>) {
  const [origin, clone] = [join(at.folder, 'origin'), join(at.folder, 'clone')]
  const identity = '-c user.name=somebody -c user.email=somebody@example.com'
  const made = at.bash(
    at.folder,
    `git init -q -b main origin && cd origin && mkdir dist && echo old > dist/cli.js && echo gone > dist/gone.js && chmod +x dist/cli.js
     git add . && git ${identity} commit -qm first && git checkout -q -b update && git checkout -q --detach
     git clone -q . ../clone && cd ../clone && git checkout -q --detach origin/update`,
  )
  expect(made.stderr).toBe('')
  const shown = (...args: string[]) => at.bash(origin, `git ${args.join(' ')}`).stdout.trim()
  return { origin, clone, shown }
}

describe('the commit of a rebuilt dist', () => {
  const script = stepOf('rebuilt-dist.yml', 'commit', 'Commit the built files, and nothing else')

  function committed(fill: (built: string) => void) {
    const at = desk()
    const { clone, shown } = repository(at)
    const built = join(at.folder, 'dist')
    mkdirSync(built)
    writeFileSync(join(built, 'cli.js'), 'new\n')
    writeFileSync(join(built, 'chunk-0-more.js'), 'more\n')
    fill(built)
    return { ...at.bash(clone, script, { BRANCH: 'update' }), shown, asked: at.asked() }
  }

  it('is what was built, with the modes that the files had, and CI is started on it', () => {
    const { status, shown, asked } = committed(() => undefined)
    expect(status).toBe(0)
    expect(shown('ls-tree -r --format="%(objectmode)%x20%(path)" update')).toBe(
      '100644 dist/chunk-0-more.js\n100755 dist/cli.js',
    )
    expect(shown('show update:dist/cli.js')).toBe('new')
    expect(shown('log -1 --format=%B update')).toBe('Rebuild dist\n\n[dependabot skip]')
    expect(asked).toEqual(['auth setup-git', 'workflow run ci.yml --ref update'])
  })

  test.each<[string, (built: string) => void]>([
    ['a link', (built) => symlinkSync('/etc/passwd', join(built, 'passwd.js'))],
    ['a folder', (built) => mkdirSync(join(built, 'folder'))],
    ['a file of another kind', (built) => writeFileSync(join(built, 'run.sh'), '')],
    ['a hidden file', (built) => writeFileSync(join(built, '.gitattributes'), '')],
    ['a name in two lines', (built) => writeFileSync(join(built, 'a\nb.js'), '')],
    ['more than a bundle can be', (built) => writeFileSync(join(built, 'large.js'), Buffer.alloc(40 * 2 ** 20))],
  ])('is not made with %s', (_, fill) => {
    const { status, shown, asked } = committed(fill)
    expect(status).toBe(1)
    expect(shown('rev-list --count update')).toBe('1')
    expect(asked).toEqual([])
  })
})

describe('a release', () => {
  const source = stepOf('release.yml', 'build', 'The commit is of a reviewed branch')
  const release = stepOf('release.yml', 'publish', 'Release')
  const major = stepOf('release.yml', 'publish', 'Move the major tag')
  const of = { TAG: 'v1.2.3', COMMIT: 'a'.repeat(40), LATEST: 'true' }

  it('is made of a commit of the default branch or of a release’s own', () => {
    const at = desk()
    const { origin, clone } = repository(at)
    const commit = (branch: string) => `git checkout -q -b ${branch} && echo ${branch} > file && git add file &&
      git -c user.name=somebody -c user.email=somebody@example.com commit -qm more`
    at.bash(origin, `${commit('release/1.2')} && git checkout -q main && ${commit('release/1.x')}`)
    at.bash(clone, 'git fetch -q')
    const from = (ref: string, branch: string) =>
      at.bash(clone, `git checkout -q --detach origin/${ref}\n${source}`, { DEFAULT_BRANCH: branch }).status
    expect([from('main', 'main'), from('release/1.2', 'main'), from('release/1.x', 'main')]).toEqual([0, 0, 1])
    expect(at.outputs().map((line) => line.replace(/[0-9a-f]{40}$/, 'SHA'))).toEqual(['commit=SHA', 'commit=SHA'])
  })

  it('is refused where its tag was moved since', () => {
    const at = desk('echo another')
    expect(at.bash(at.folder, release, of).status).toBe(1)
    expect(at.asked()).toEqual(['api repos/acme/capacity-gate/commits/v1.2.3 --jq .sha'])
  })

  it('has the package, its bill, its checksums and its attestations', () => {
    const at = desk(`echo ${of.COMMIT}`)
    for (const folder of ['release', 'attestations']) mkdirSync(join(at.folder, folder))
    for (const file of ['release/a.tgz', 'release/b.cdx.json', 'release/SHA256SUMS', 'attestations/p.json'])
      writeFileSync(join(at.folder, file), '')
    expect(at.bash(at.folder, release, of).status).toBe(0)
    expect(at.asked()[1]).toBe(
      'release create v1.2.3 --verify-tag --title v1.2.3 --notes-file release/notes.md --latest=true release/a.tgz release/b.cdx.json release/SHA256SUMS attestations/p.json',
    )
  })

  it('moves the major tag, or makes it', () => {
    const [there, missing] = [desk(), desk('case "$*" in *--silent) exit 1;; esac')]
    for (const at of [there, missing]) expect(at.bash(at.folder, major, of).status).toBe(0)
    expect(there.asked()[1]).toBe(
      `api --method PATCH repos/acme/capacity-gate/git/refs/tags/v1 -f sha=${of.COMMIT} -F force=true`,
    )
    expect(missing.asked()[1]).toBe(
      `api --method POST repos/acme/capacity-gate/git/refs -f ref=refs/tags/v1 -f sha=${of.COMMIT}`,
    )
  })
})
