import { z } from 'zod'
import type { MachineSeen, MachineState } from './machine-line.ts'

/** Machine lines as they come back from disk: hostile input. What is larger than any machine is refused. */
const text = z.string().max(10_000)
const number = z.number().nullable()
const said = text.nullable()
const flag = z.boolean().nullable()
const uuid = z.string().min(1).max(200)
const list = <T extends z.ZodType>(item: T) => z.array(item).max(10_000)
const reasons = list(text).nullable()
const values = z.record(text, z.number())

const processSchema = z.strictObject({
  gpu: uuid,
  pid: z.int().min(0),
  name: text,
  usedMib: number,
  user: said,
  container: said,
  ours: flag,
})

const gpuStateSchema = z.strictObject({
  uuid,
  index: z.int().min(0),
  name: said,
  bus: said,
  driver: said,
  vbios: said,
  memoryTotalMib: number,
  memoryUsedMib: number,
  migMode: z.enum(['Enabled', 'Disabled', 'unsupported']).nullable(),
  persistence: said,
  powerLimitW: number,
  powerDrawW: number,
  temperatureC: number,
  smMhz: number,
  smMaxMhz: number,
  utilPercent: number,
  reasons,
  heldUs: values.nullable(),
  eccMode: said,
  ecc: z.strictObject({
    correctedVolatile: number,
    correctedAggregate: number,
    uncorrectedVolatile: number,
    uncorrectedAggregate: number,
  }),
  remappedCorrectable: number,
  remappedUncorrectable: number,
  remapPending: flag,
  remapFailure: flag,
  retiredPages: number,
  retirementPending: flag,
  recoveryAction: said,
  nvlinksUp: number,
})

const gpuSampleSchema = z.strictObject({
  uuid,
  utilPercent: number,
  memoryUtilPercent: number,
  memoryUsedMib: number,
  smMhz: number,
  memoryMhz: number,
  powerW: number,
  temperatureC: number,
  memoryTemperatureC: number,
  reasons,
})

const kernelSchema = z.strictObject({
  xids: list(
    z.strictObject({
      atSeconds: number,
      of: z.enum(['gpu', 'switch']),
      code: z.int().min(0),
      bus: text,
      text,
    }),
  ),
  oomKills: list(text),
})

const hostShape = { busyShare: number, stealShare: number, load1: number, memoryAvailableMib: number }
const hostStateSchema = z.strictObject({
  ...hostShape,
  logicalCpus: number,
  diskFreeMib: number,
  oomKills: number,
  busy: list(z.strictObject({ pid: z.int().min(0), name: text, user: said, cores: z.number() })).nullable(),
})

const containerSchema = z.strictObject({ id: text, restarts: z.int().min(0), oomKilled: z.boolean(), startedAt: text })

const dcgm = z.record(uuid, values)

export const machineStateSchema: z.ZodType<MachineState> = z.strictObject({
  gpus: list(gpuStateSchema).nullable(),
  gpusWhy: said,
  processes: list(processSchema).nullable(),
  kernel: kernelSchema.nullable(),
  dcgm: dcgm.nullable(),
  host: hostStateSchema,
  engineOomKills: number,
  containers: list(containerSchema).nullable(),
})

export const machineSeenSchema: z.ZodType<MachineSeen> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('state'), phase: z.enum(['before', 'after']), state: machineStateSchema }),
  z.strictObject({ kind: z.literal('gpus'), gpus: list(gpuSampleSchema) }),
  z.strictObject({ kind: z.literal('processes'), processes: list(processSchema) }),
  z.strictObject({ kind: z.literal('host'), host: z.strictObject(hostShape) }),
  z.strictObject({ kind: z.literal('dcgm'), gpus: dcgm }),
  z.strictObject({ kind: z.literal('gap'), probe: z.enum(['gpus', 'processes', 'dcgm']), error: text }),
])
