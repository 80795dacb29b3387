import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpointDeployer } from '../../../src/adapters/engine/endpoint.ts'
import { prometheusMetrics } from '../../../src/adapters/metrics/prometheus.ts'
import { createReplay } from '../../../src/adapters/replay/replay.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Effects } from '../../../src/app/context.ts'
import { replayPoint } from '../../../src/app/replay-point.ts'
import { fakeCalibrator } from '../../fakes/calibrator.ts'
import { freePorts } from '../../fakes/free-port.ts'
import { fakeMachine } from '../../fakes/machine.ts'
import { fakePack } from '../../fakes/pack.ts'
import { fakeSources } from '../../fakes/sources.ts'
import { manifestText, smallExample } from '../../virtual/virtual-manifest.ts'
import { root } from '../cli/cli-process.ts'

const BLOCKED_MS = 600

let engine: ReturnType<typeof spawn>
let url: string
beforeAll(async () => {
  const port = await freePorts()
  url = `http://127.0.0.1:${port}`
  engine = spawn(process.execPath, ['fixtures/engine/main.ts', '--port', String(port)], { cwd: root })
})
afterAll(() => engine.kill('SIGKILL'))

/** A send lag that is never too much, so that the stall must be found by itself. */
const manifest = smallExample({
  client: {
    minimum_duration_seconds: 2,
    initial_scheduled_requests: 60,
    extension_requests: 0,
    class_schedule_counts: { interactive: 42, long_context: 12, generation_heavy: 6 },
    warmup_seconds: 0.5,
    send_lag_p99_max_ms: 60_000,
    offered_rate_min_share: 0,
  },
  // What the engine carries is not the question.
  acceptance: { min_successful_samples_per_class: 1, class_slo_attainment_min: 0 },
})

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('a client whose event loop stands still makes its point invalid, and names the slice', async () => {
  const clock = systemClock()
  let blocked = false
  const effects: Effects = {
    clock,
    progress: {
      note() {},
      outlook() {},
      warn() {},
      point({ elapsedSeconds }) {
        if (blocked || elapsedSeconds < 0.8) return
        blocked = true
        block(BLOCKED_MS)
      },
    },
    pack: fakePack(),
    deployer: endpointDeployer({ clock, urls: [url] }),
    replay: createReplay(clock),
    calibrator: fakeCalibrator({ clock }),
    metrics: prometheusMetrics({ clock }),
    host: { probe: async () => ({ mustEqual: {}, recorded: {} }), commit: async () => null },
    machine: fakeMachine({ clock }),
    sources: fakeSources(),
    toolVersion: '0.0.0-test',
  }
  const key = { cache: 'cold', load: { openMilliRps: 30_000 }, repeat: 1 } as const
  const request = { manifest, manifestText: manifestText(manifest), key }
  const point = await replayPoint(effects, request, new AbortController().signal)
  expect(point.outcome).toBe('invalid')
  const slices = point.reasons.find(({ text }) => text.startsWith('client.slices'))?.text ?? ''
  const [, stalledMs = '0'] = /: 0–[\d.]+ s: the event loop stood still for ([\d.]+) ms, /.exec(slices) ?? []
  expect(Number(stalledMs)).toBeGreaterThan(BLOCKED_MS - 20)
  const loop = point.evidence.find(({ probe }) => probe === 'client.event_loop')
  expect(loop?.value).toBe(Number(stalledMs))
})
