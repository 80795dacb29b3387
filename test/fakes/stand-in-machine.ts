import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface StandInGpu {
  uuid: string
  /** `0000:19:00` */
  bus: string
  usedMib?: number
  mig?: 'Enabled' | 'Disabled'
  /** Of the reasons that hold its clocks: `0x0000000000000040`. */
  mask?: string
  smMhz?: number
  util?: number
  uncorrected?: number
  pending?: 'Yes' | 'No'
  links?: number
  processes?: readonly { pid: number; name: string; usedMib: number }[]
}

/** What the stand-ins for nvidia-smi and dmesg tell. */
export interface StandInScenario {
  gpus: readonly StandInGpu[]
  /** Lines of the kernel's log; without them it may not be read. */
  log?: readonly string[]
  /** Fields that this driver does not have. */
  lacks?: readonly string[]
  hangs?: readonly ('loop' | 'report' | 'processes')[]
  /** The loop that samples ends after its first rows. */
  loopEnds?: boolean
  /** What nvidia-smi says and fails with. */
  fails?: string
}

export interface StandIn {
  /** For a process whose PATH begins with the stand-ins. */
  env: { PATH: string; STAND_IN_MACHINE: string }
  /** The next answers are of this. */
  tell(scenario: StandInScenario): void
}

const PROGRAMS = join(import.meta.dirname, '../../fixtures/machine/stand-in')

/** The stand-ins' scenario in a folder of the test's own. UUIDs are to be the test's own as well: runs lock GPUs machine-wide. */
export function standInMachine(folder: string, scenario: StandInScenario): StandIn {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'stand-in-machine.json')
  const tell = (told: StandInScenario) => writeFileSync(file, JSON.stringify(told))
  tell(scenario)
  return { env: { PATH: `${PROGRAMS}:${process.env['PATH'] ?? ''}`, STAND_IN_MACHINE: file }, tell }
}

let made = 0

/** Sound and idle, with a UUID that no other test has. */
export function standInGpu(index: number, change: Partial<StandInGpu> = {}): StandInGpu {
  made += 1
  const own = `${process.pid}${made}`.padStart(12, '0').slice(-12)
  return {
    uuid: `GPU-${String(index).padStart(8, '0')}-0000-4000-8000-${own}`,
    bus: `0000:${16 + index}:00`,
    ...change,
  }
}
