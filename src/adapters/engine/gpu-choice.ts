import { GateError } from '../../core/kernel/errors.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { commandOutput } from '../system/command.ts'
import type { LaunchPlan } from './launch-plan.ts'

/** UUIDs of this machine's GPUs by their index; null where nvidia-smi is missing or tells nothing. */
export type GpuList = () => Promise<ReadonlyMap<number, string> | null>

const ROW = /^\s*(\d+)\s*,\s*(GPU-[0-9a-fA-F-]+)\s*$/

/** As nvidia-smi tells them. */
async function installedGpus(): Promise<ReadonlyMap<number, string> | null> {
  const table = await commandOutput('nvidia-smi', ['--query-gpu=index,uuid', '--format=csv,noheader'])
  if (table === null) return null
  const rows = table.split('\n').flatMap((line) => {
    const [, index, uuid] = ROW.exec(line) ?? []
    return index === undefined || uuid === undefined ? [] : [[Number(index), uuid] as const]
  })
  return rows.length > 0 ? new Map(rows) : null
}

/**
 * For each server the UUIDs of its GPUs, in the order of the manifest's lists, or for `auto` in the order of their indices; empty where
 * the manifest uses none. Indices may change with a restart of the driver; UUIDs never. Throws GateError `gpu_missing`.
 */
export async function gpusOf(manifest: Manifest, servers: number, list: GpuList = installedGpus): Promise<string[][]> {
  const { deploy, placement } = manifest.engine
  const choice = deploy && 'gpus' in deploy ? deploy.gpus : undefined
  if (choice === undefined || placement.gpus === 0) return Array.from({ length: servers }, () => [])
  const installed = await list()
  if (installed === null) throw missing(`the placement has ${placement.gpus}, and nvidia-smi tells of none here`)
  const each = placement.gpus / servers
  const indices = [...installed.keys()].toSorted((a, b) => a - b)
  const groups =
    choice === 'auto'
      ? Array.from({ length: servers }, (_, server) => indices.slice(server * each, (server + 1) * each))
      : choice
  if (choice === 'auto' && indices.length < placement.gpus) {
    throw missing(`the placement has ${placement.gpus}, this machine ${indices.length}`)
  }
  return groups.map((group) =>
    group.map((index) => {
      const uuid = installed.get(index)
      if (uuid === undefined)
        throw missing(`engine.deploy.gpus names GPU ${index}, this machine has ${indices.join(', ')}`)
      return uuid
    }),
  )
}

/** The plan with each replica's own GPUs in its environment; unchanged where the manifest places none. */
export async function placeOnGpus(manifest: Manifest, plan: LaunchPlan, list?: GpuList): Promise<LaunchPlan> {
  const groups = await gpusOf(manifest, plan.replicas.length, list)
  return { ...plan, replicas: plan.replicas.map((replica, index) => ({ ...replica, gpus: groups[index] ?? [] })) }
}

function missing(what: string): GateError {
  return new GateError({
    code: 'gpu_missing',
    message: `the GPUs that the manifest asks for are not there: ${what}`,
    hint: 'run on the machine that has them, or correct engine.placement.gpus and engine.deploy.gpus',
  })
}
