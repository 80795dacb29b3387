import type { Clock } from '../../app/ports/clock.ts'
import type { Owned } from '../../app/ports/engine.ts'
import type { MachineLook } from '../../app/ports/machine.ts'
import type { BoundedCommand } from './bounded-command.ts'
import type { DcgmPage } from './dcgm-page.ts'
import type { HostFacts } from './host-facts.ts'
import type { NvidiaSmi } from './nvidia-smi.ts'
import type { UserNames } from './process-owner.ts'

/** What a look and a watch read from. */
export interface MachineSources {
  clock: Clock
  smi: NvidiaSmi
  /** The container runtime's program; asked only where the engine has containers. */
  docker: BoundedCommand
  host: HostFacts
  names: UserNames
  dcgm(order: MachineLook): DcgmPage
}

/** What belongs to the engine; null where that cannot be told. */
export async function ownedNow({ owned }: MachineLook): Promise<Owned | null> {
  try {
    return owned === null ? null : await owned()
  } catch {
    return null
  }
}
