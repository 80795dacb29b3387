import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** Stands in for npm: notes that it ran, takes a moment, and installs what the lockfile names as npm does. */
const fakeNpm = `
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
console.log('noise of the installer')
rmSync('node_modules', { recursive: true, force: true })
await new Promise((done) => setTimeout(done, 300))
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
delete packages['']
for (const [path, { optional }] of Object.entries(packages)) {
  if (optional) { delete packages[path]; continue }
  mkdirSync(path, { recursive: true })
  writeFileSync(path + '/package.json', '{}')
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

let checkout: string

function lock(version: string): void {
  const packages = {
    '': {},
    'node_modules/a': { version, integrity: `sha512-${version}` },
    'node_modules/other-platform': { version: '1.0.0', optional: true, os: ['aix'] },
  }
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ packages }))
}

function installs(): number {
  const log = join(checkout, 'npm.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0
}

function bootstrap(code: string, folder = checkout): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, npm_execpath: join(checkout, 'fake-npm.js') }
  return run(process.execPath, [join(folder, 'scripts/bootstrap.mjs'), '-e', code], { env })
}

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'a clone '))
  mkdirSync(join(checkout, 'scripts'))
  cpSync(join(root, 'scripts/bootstrap.mjs'), join(checkout, 'scripts/bootstrap.mjs'))
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
  writeFileSync(join(checkout, 'fake-npm.js'), fakeNpm)
  lock('1.0.0')
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

test('installs what is missing, once, and leaves standard output to the script', async () => {
  const first = await bootstrap('console.log(1)')
  expect(first.stdout).toBe('1\n')
  expect(first.stderr).toContain('noise of the installer')
  expect(await bootstrap('console.log(2)')).toEqual({ stdout: '2\n', stderr: '' })
  expect(installs()).toBe(1)
  expect(readFileSync(join(checkout, 'npm.log'), 'utf8')).toMatch(/^ci --include=dev --include=optional /)
})

test('installs again when the lockfile moved on, or a package went missing', async () => {
  await bootstrap('0')
  lock('1.0.1')
  await bootstrap('0')
  expect(installs()).toBe(2)
  rmSync(join(checkout, 'node_modules/a'), { recursive: true })
  await bootstrap('0')
  expect(installs()).toBe(3)
  rmSync(join(checkout, 'node_modules/.package-lock.json'))
  await bootstrap('0')
  expect(installs()).toBe(4)
})

test('does not repeat an install that was made by hand', async () => {
  await run(process.execPath, [join(checkout, 'fake-npm.js')], { cwd: checkout })
  await bootstrap('0')
  expect(installs()).toBe(1)
})

test('two first runs install once between them', async () => {
  const both = await Promise.all([bootstrap('console.log(1)'), bootstrap('console.log(2)')])
  expect(both.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n'])
  expect(installs()).toBe(1)
  expect(existsSync(join(checkout, '.install-lock'))).toBe(false)
})

test('takes over the lock of an install that was killed', async () => {
  const dead = spawn(process.execPath, ['-e', '0'])
  await once(dead, 'exit')
  writeFileSync(join(checkout, '.install-lock'), String(dead.pid))
  expect((await bootstrap('console.log(1)')).stdout).toBe('1\n')
  expect(installs()).toBe(1)
})

test('waits for an install that outlives the process which started it', async () => {
  const dead = spawn(process.execPath, ['-e', '0'])
  await once(dead, 'exit')
  const npm = spawn(process.execPath, [join(checkout, 'fake-npm.js')], { cwd: checkout })
  writeFileSync(join(checkout, '.install-lock'), `${dead.pid} ${npm.pid}`)
  await bootstrap('0')
  expect(installs()).toBe(1)
})

test('says what to do when the install fails', async () => {
  writeFileSync(join(checkout, 'fake-npm.js'), 'process.exit(3)')
  const failure = { code: 1, stdout: '', stderr: expect.stringMatching(/error: npm ci failed \(exit code 3\)\nhint: /) }
  await expect(bootstrap('console.log(1)')).rejects.toMatchObject(failure)
  expect(existsSync(join(checkout, '.install-lock'))).toBe(false)
})

test('runs on Node 24, and so does what the script starts', async () => {
  const code = `console.log(process.version, require('node:child_process').execFileSync('node', ['-v']).toString().trim())`
  expect((await bootstrap(code, root)).stdout).toMatch(/^(v24\.\S+) \1\n$/)
})

test('passes the exit code through', async () => {
  await bootstrap('0')
  await expect(bootstrap('process.exit(7)')).rejects.toMatchObject({ code: 7 })
})

test.each([
  ['SIGINT', 'handled'],
  ['SIGTERM', 'handled'],
  ['SIGTERM', 'not handled'],
] as const)('passes %s through when it is %s', async (signal, how) => {
  await bootstrap('0')
  const handler = how === 'handled' ? `process.on('${signal}', () => process.exit(5));` : ''
  const code = `${handler} console.log('ready'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, [join(checkout, 'scripts/bootstrap.mjs'), '-e', code], { stdio: 'pipe' })
  await once(child.stdout, 'data')
  child.kill(signal)
  const end = await once(child, 'exit')
  expect(end).toEqual(how === 'handled' ? [5, null] : [null, signal])
})
