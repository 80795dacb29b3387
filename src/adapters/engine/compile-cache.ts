import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalSha256 } from '../../core/kernel/canonical.ts'
import { identify } from '../../core/manifest/identity.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import { commandOutput } from '../system/command.ts'
import { fileError } from '../system/file-errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import type { Mount } from './docker-arguments.ts'

/** Driver version and model of the machine's GPUs, one line each; null where nvidia-smi is missing or tells nothing. */
export type GpuKinds = () => Promise<string | null>

function gpuKinds(): Promise<string | null> {
  return commandOutput('nvidia-smi', ['--query-gpu=driver_version,name', '--format=csv,noheader'])
}

/** The folder of compiled kernels that one subject has on one kind of machine. */
export interface CompileCache {
  /** Whether an engine that came up has filled it before. */
  state: 'hit' | 'miss'
  mount: Mount
  environment: Readonly<Record<string, string>>
  /** Says that an engine that came up has filled it. */
  fill(): Promise<void>
}

const INSIDE = '/capacity-gate/compile-cache'
/** Beside the folder, not in it: what is in it the engine may write. */
const FILLED = '.filled'

/** Where engines and the compilers below them keep what they compiled. */
const PLACES = {
  XDG_CACHE_HOME: 'cache',
  VLLM_CACHE_ROOT: 'vllm',
  TORCHINDUCTOR_CACHE_DIR: 'inductor',
  TRITON_CACHE_DIR: 'triton',
  CUDA_CACHE_PATH: 'cuda',
  FLASHINFER_WORKSPACE_BASE: 'flashinfer',
  DG_JIT_CACHE_DIR: 'deep-gemm',
} as const

/**
 * Opens the cache below the manifest's folder: one for each model and placement, subject, driver and GPU model, since kernels of another
 * shape, version or card would be compiled anew, or be wrong. Throws GateError where it cannot be made.
 */
export async function openCompileCache(
  manifest: Manifest,
  folder: string,
  kinds: GpuKinds = gpuKinds,
): Promise<CompileCache> {
  const { model, engine } = manifest
  const gpus = engine.placement.gpus > 0 ? await kinds() : 'none'
  const subject = identify(manifest).subject.sha256
  const key = canonicalSha256({ model: JSON.stringify(model), placement: engine.placement, subject, gpus }).slice(0, 24)
  const source = join(folder, key)
  const mark = `${source}${FILLED}`
  try {
    await makeFolder(source)
  } catch (error) {
    throw fileError(error, 'make the compile cache', source)
  }
  const state = (await readFile(mark).catch(() => null)) === null ? 'miss' : 'hit'
  return {
    state,
    mount: { source, target: INSIDE, isReadOnly: false },
    environment: Object.fromEntries(Object.entries(PLACES).map(([name, place]) => [name, `${INSIDE}/${place}`])),
    async fill() {
      if (state === 'miss') await writeAtomically(mark, '')
    },
  }
}
