import { cpus, hostname, release, totalmem, version } from 'node:os'
import type { Host } from '../../app/ports/host.ts'
import { commandOutput } from './command.ts'
import { probeGpus } from './nvidia.ts'
import type { NvidiaSmi } from './nvidia.ts'

export interface HostOptions {
  environment: Readonly<Record<string, string | undefined>>
  /** The checkout under test. */
  cwd: string
  nvidiaSmi?: NvidiaSmi
}

const GIBIBYTE = 1024 ** 3
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The machine that this process runs on. Without GPUs only the CPU's model, its logical count and the platform must be equal. */
export function systemHost(options: HostOptions): Host {
  const nvidiaSmi: NvidiaSmi = options.nvidiaSmi ?? ((args) => commandOutput('nvidia-smi', args))
  return {
    async probe(gpus) {
      const processors = cpus()
      const logicalCpus = processors.length > 0 ? String(processors.length) : 'unknown'
      const gpuFacts = gpus > 0 ? await probeGpus(nvidiaSmi) : null
      return {
        mustEqual: {
          cpuModel: processors[0]?.model.trim() || 'unknown',
          platform: `${process.platform}-${process.arch}`,
          ...(gpuFacts ? gpuFacts.mustEqual : { logicalCpus }),
        },
        recorded: {
          ...(gpuFacts ? { logicalCpus } : {}),
          hostname: hostname(),
          kernel: release(),
          operatingSystem: version(),
          memoryGib: (totalmem() / GIBIBYTE).toFixed(1),
          node: process.versions.node,
          ...gpuFacts?.recorded,
        },
      }
    },
    async commit() {
      const told = options.environment['GITHUB_SHA']?.toLowerCase() ?? ''
      if (COMMIT.test(told)) return told
      const read = (await commandOutput('git', ['rev-parse', '--verify', 'HEAD'], options.cwd))?.trim() ?? ''
      return COMMIT.test(read) ? read : null
    },
  }
}
