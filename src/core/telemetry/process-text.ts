import type { GpuProcess, GpuState } from './machine-line.ts'

/** `GPU 3`, by which people know it; its UUID stands in the pack. */
export function gpuName({ index }: Pick<GpuState, 'index'>): string {
  return `GPU ${index}`
}

/** `GPU 3: python (pid 4711, user bob, container 3f2a9c0b1d2e, 20480 MiB)`. */
export function processText(process: GpuProcess, gpus: readonly GpuState[]): string {
  const gpu = gpus.find(({ uuid }) => uuid === process.gpu)
  const facts = [
    `pid ${process.pid}`,
    ...(process.user === null ? [] : [`user ${process.user}`]),
    ...(process.container === null ? [] : [`container ${process.container.slice(0, 12)}`]),
    ...(process.usedMib === null ? [] : [`${process.usedMib} MiB`]),
  ]
  return `${gpu ? gpuName(gpu) : process.gpu}: ${process.name.slice(0, 80)} (${facts.join(', ')})`
}
