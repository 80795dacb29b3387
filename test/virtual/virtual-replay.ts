import type { Replay } from '../../src/app/ports/replay.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { prefixTokensOf } from './ended-request.ts'
import { PointRun } from './point-run.ts'
import type { VirtualDeployer } from './virtual-deployer.ts'
import { sendOne } from './virtual-send.ts'

export interface VirtualReplayOptions {
  /** Keep the time of every token, for the gaps. */
  gaps: boolean
  sendLagUs: number
}

/** A load generator that is never late (but where told to be) and sees each token the moment it is made. */
export function virtualReplay(clock: FakeClock, deployer: VirtualDeployer, options: VirtualReplayOptions): Replay {
  return {
    async send(shape, target, row, signal) {
      signal.throwIfAborted()
      const record = sendOne(deployer.replicaAt(target), {
        row,
        replica: target.index,
        startUs: clock.nowUs(),
        wholeUs: Math.round(shape.manifest.client.request_timeout_seconds * 1e6),
        prefixTokens: prefixTokensOf(shape.header),
      })
      await clock.sleep(record.endUs / 1000, signal)
      return record
    },
    async run(order, control, signal) {
      signal.throwIfAborted()
      const target = order.targets[0]
      if (!target) throw new Error('a point needs a replica')
      const { engine, mishaps } = deployer.engineAt(target)
      if (options.gaps) for (const replica of engine.replicas) replica.keepSteps()
      const { sendLagUs } = options
      const onTime = (atUs: number) => clock.moveToUs(atUs)
      const outcome = new PointRun({ engine, order, control, onTime, mishaps, sendLagUs }).run(() =>
        signal.throwIfAborted(),
      )
      // Others' turn comes before what follows, as it does after real waiting.
      await clock.sleep(0, signal)
      return outcome
    },
  }
}
