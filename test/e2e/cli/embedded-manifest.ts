import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { freePorts } from '../../fakes/free-port.ts'
import { root } from './cli-process.ts'

/** Writes a manifest of the embedded engine from its sources, with ports of its own, and points of a second or two. */
export async function embeddedManifest(
  folder: string,
  readySeconds = 30,
): Promise<{ path: string; firstPort: number }> {
  const firstPort = await freePorts(2)
  const manifest = parse(readFileSync(join(root, 'fixtures/packs/embedded/workload-manifest.yaml'), 'utf8'))
  manifest.engine.deploy.argv = ['{node}', 'fixtures/engine/main.ts', '--port', '{port}', '--slots', '8']
  manifest.engine.deploy.first_port = firstPort
  manifest.engine.deploy.ready_timeout_seconds = readySeconds
  Object.assign(manifest.client, {
    minimum_duration_seconds: 1,
    initial_scheduled_requests: 40,
    extension_requests: 20,
    class_schedule_counts: { interactive: 28, long_context: 8, generation_heavy: 4 },
    warmup_seconds: 1,
    // What these tests are about must not hang on how busy the machine is.
    send_lag_p99_max_ms: 2000,
    calibration_error_max_share: 1,
  })
  const easy = { output_tokens: 4, request_ttft_cutoff_ms: 2000, request_tpot_cutoff_ms: 200 }
  for (const entry of manifest.workload) Object.assign(entry, easy)
  manifest.sweep = { rates_rps: [20], repeats: 1 }
  manifest.acceptance.min_successful_samples_per_class = 3
  const path = join(folder, 'workload-manifest.yaml')
  writeFileSync(path, stringify(manifest))
  return { path, firstPort }
}
