import { cpus, hostname, release, totalmem, version } from 'node:os'
import type { Host } from '../../app/ports/host.ts'
import { gpuFacts } from '../../core/telemetry/gpu-facts.ts'
import { commandOutput } from '../system/command.ts'
import type { NvidiaSmi } from './nvidia-smi.ts'
import { nvidiaSmi } from './nvidia-smi.ts'

export interface HostOptions {
  environment: Readonly<Record<string, string | undefined>>
  /** The checkout under test. */
  cwd: string
  smi?: NvidiaSmi
}

const GIBIBYTE = 1024 ** 3
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The machine that this process runs on. Without GPUs only the CPU's model, its logical count and the platform must be equal. */
export function systemHost(options: HostOptions): Host {
  const smi = options.smi ?? nvidiaSmi()
  return {
    async probe(gpus) {
      const processors = cpus()
      const logicalCpus = processors.length > 0 ? String(processors.length) : 'unknown'
      const report = gpus > 0 ? await smi.report() : null
      const facts = report && gpuFacts('why' in report ? null : report.gpus)
      return {
        mustEqual: {
          cpuModel: processors[0]?.model.trim() || 'unknown',
          platform: `${process.platform}-${process.arch}`,
          ...(facts ? facts.mustEqual : { logicalCpus }),
        },
        recorded: {
          ...(facts ? { logicalCpus } : {}),
          hostname: hostname(),
          kernel: release(),
          operatingSystem: version(),
          memoryGib: (totalmem() / GIBIBYTE).toFixed(1),
          node: process.versions.node,
          ...facts?.recorded,
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
