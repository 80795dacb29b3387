// The pages in a browser: `npm run test:pages [-- vitest arguments]`. It takes Chromium from the path, and installs Debian's package where
// it may. Nothing else is downloaded.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

function chromium(): string | null {
  return (
    ['chromium', 'chromium-browser', 'google-chrome'].find((name) => spawnSync(name, ['--version']).status === 0) ??
    null
  )
}

/** Installs the browser where it is not there; why that cannot be done, or null. */
function missing(): string | null {
  if (chromium() !== null) return null
  if (process.platform !== 'linux') return 'there is no Chromium'
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0)
    return 'there is no Chromium, and installing it needs root'
  process.stdout.write('installing chromium\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const command = isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get']
  const apt = (...args: string[]) =>
    spawnSync(command[0] ?? '', [...command.slice(1), ...args], { env, encoding: 'utf8' })
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core')
  let done = install()
  if (done.status !== 0) {
    apt('update')
    done = install()
  }
  return chromium() === null ? `apt-get cannot install chromium: ${done.stderr?.trim().split('\n').at(-1) ?? ''}` : null
}

const why = missing()
if (why !== null) {
  process.stdout.write(`\n!!! SKIPPED: the pages were opened in no browser: ${why} !!!\n\n`)
} else {
  const env = {
    ...process.env,
    PAGES_BROWSER: spawnSync('which', [chromium() ?? ''], { encoding: 'utf8' }).stdout.trim(),
  }
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/pages/vitest.config.ts']
  process.exitCode =
    spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' }).status ?? 1
}
