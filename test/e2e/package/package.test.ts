import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, scratch, workedExample } from '../cli/cli-process.ts'
import { quickManifest } from '../run/quick-manifest.ts'

/** The Node that the tests run on, or those that `npm run test:package` fetched. */
const nodes: string[] = JSON.parse(process.env['PACKAGE_NODES'] ?? JSON.stringify([process.execPath]))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const release = scratch()
const tarball = join(release, `capacity-gate-${version}.tgz`)

/** Runs a program with nothing of this machine's but its PATH: no cache, no configuration, no module of the checkout above it. */
function user(node: string, home: string, cwd = home) {
  const env = { PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`, HOME: home, TMPDIR: home }
  return (program: string, ...args: string[]) => {
    const ended = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
    return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr }
  }
}

/** Every part of a release, as the workflow makes it; nothing is published. */
function make(into: string, ...args: string[]) {
  return user(process.execPath, scratch(), root)('node', 'scripts/release.ts', '--into', into, ...args)
}

describe('what a release consists of', () => {
  it('is the package, dist, a bill of materials, and checksums of them all', () => {
    const made = make(release, '--repository', 'https://github.com/acme/capacity-gate')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(
      /^tarball=capacity-gate-[\d.]+\.tgz\nmoves-major-tag=(true|false)\nis-latest=(true|false)\n$/,
    )
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n')
    for (const line of sums) {
      const [sum, file = ''] = line.split('  ')
      expect([
        file,
        createHash('sha256')
          .update(readFileSync(join(release, file)))
          .digest('hex'),
      ]).toEqual([file, sum])
    }
    const files = readdirSync(release, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(sums.length).toBe(files.length - 1)
  })

  it('has the same package again, to the byte', () => {
    const again = scratch()
    make(again, '--repository', 'https://github.com/acme/capacity-gate')
    expect(readFileSync(join(again, `capacity-gate-${version}.tgz`)).equals(readFileSync(tarball))).toBe(true)
  })

  it('names in its bill of materials what the lockfile ships, and nothing that only builds or tests', () => {
    const bill = JSON.parse(readFileSync(join(release, 'bill-of-materials.cdx.json'), 'utf8'))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'capacity-gate', version } } })
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const shipped = Object.entries<{ version: string; dev?: true; optional?: true }>(packages).flatMap(
      ([path, item]) =>
        path === '' || item.dev || item.optional ? [] : [`${path.replace(/^.*node_modules\//, '')}@${item.version}`],
    )
    const named = (bill.components as { purl: string }[]).map(({ purl }) =>
      decodeURIComponent(purl.slice('pkg:npm/'.length)),
    )
    expect([...new Set(named)].toSorted()).toEqual([...new Set(shipped)].toSorted())
  })

  it('is not made among other files, which would be released too', () => {
    const made = make(release)
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining('is not empty')])
  })

  it('is not made for a tag that is not the version', () => {
    const made = make(scratch(), '--tag', 'v999.0.0')
    expect(made.code).toBe(1)
    expect(made.stderr).toContain(`the tag is v999.0.0, and the version in package.json ${version}`)
  })
})

describe.each(nodes)('the package on %s', (node) => {
  const home = scratch()
  const run = user(node, home)
  const prefix = join(home, 'prefix')
  const installed = join(prefix, 'node_modules/capacity-gate')

  it('installs without a network into an empty folder, and brings nothing else', () => {
    mkdirSync(prefix)
    const ended = run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, tarball)
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(readdirSync(join(prefix, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['capacity-gate'])
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1)).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      ...readdirSync(join(root, 'dist')).flatMap((name) => (/^(action|post)\.js$/.test(name) ? [] : [`dist/${name}`])),
      'docs/manifest.schema.json',
      'package.json',
    ])
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(Object.keys(manifest)).not.toContain('dependencies')
    expect(manifest).toMatchObject({ version, engines: { node: '>=22.19' } })
    expect(manifest.repository.url).toBe('git+https://github.com/acme/capacity-gate.git')
  })

  it('answers as `npx capacity-gate`, from its file alone too', () => {
    expect(run('npx', '--offline', '--prefix', prefix, 'capacity-gate', '--version').stdout).toBe(`${version}\n`)
    const once = run('npx', '--offline', '--yes', `--package=${tarball}`, 'capacity-gate', '--help')
    expect([once.code, once.stdout]).toEqual([0, expect.stringContaining('Usage: capacity-gate')])
  })

  it('lints, writes a first manifest, measures the engine that it carries, and verifies what it wrote', async () => {
    const gate = (...args: string[]) => run(join(prefix, 'node_modules/.bin/capacity-gate'), ...args)
    expect(gate('lint', workedExample)).toMatchObject({ code: 0 })
    expect(gate('init', '--engine', 'fixture')).toMatchObject({ code: 0, stderr: '' })
    expect(gate('lint', 'workload-manifest.yaml', '--deployable')).toMatchObject({ code: 0 })
    const { path } = await quickManifest(home, {
      program: '{fixture_engine}',
      client: { minimum_duration_seconds: 1 },
      sweep: { rates_rps: [90] },
    })
    const pack = join(home, 'pack')
    const ended = gate('run', path, '--pack', pack, '--plan', 'sweep', '--cache', 'cold', '--json')
    expect([ended.code, JSON.parse(ended.stdout).outcome]).toEqual([3, 'inconclusive'])
    expect(gate('verify', pack)).toMatchObject({ code: 0, stderr: '' })
  })
})
