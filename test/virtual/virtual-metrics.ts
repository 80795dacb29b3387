import type { Metrics } from '../../src/app/ports/metrics.ts'
import type { Replica } from '../../src/app/ports/engine.ts'
import type { TelemetryLine } from '../../src/core/telemetry/line.ts'
import type { FakeClock } from '../fakes/clock.ts'
import type { LiveReplica } from './live-replica.ts'
import type { VirtualDeployer } from './virtual-deployer.ts'
import type { Ticker } from './virtual-engine.ts'

/** Gauges and counters of the model under the names that vLLM gives them. */
export function virtualMetrics(clock: FakeClock, deployer: VirtualDeployer): Metrics {
  const lineOf = ({ index }: Replica, replica: LiveReplica, atUs: number): TelemetryLine =>
    replica.alive
      ? { t: 'engine', atUs, replica: index, values: seriesOf(replica) }
      : { t: 'gap', atUs, replica: index, error: 'connect_failed' }
  return {
    async scrape(target, _dialect, originUs, signal) {
      signal.throwIfAborted()
      return lineOf(target, deployer.replicaAt(target), clock.nowUs() - originUs)
    },
    watch({ replicas, originUs, intervalMs }, onLine) {
      const first = replicas[0]
      if (!first) throw new Error('a watch needs a replica')
      const { engine } = deployer.engineAt(first)
      const scrapeAll = (atUs: number) => {
        for (const target of replicas) onLine(lineOf(target, deployer.replicaAt(target), atUs - originUs))
      }
      scrapeAll(clock.nowUs())
      const everyUs = intervalMs * 1000
      const ticker: Ticker = { nextUs: clock.nowUs() + everyUs, everyUs, fire: scrapeAll }
      engine.addTicker(ticker)
      return {
        async [Symbol.asyncDispose]() {
          engine.removeTicker(ticker)
          scrapeAll(clock.nowUs())
        },
      }
    },
  }
}

const LABELS = '{engine="0",model_name="virtual"}'

function seriesOf({ model }: LiveReplica): Record<string, number> {
  const { counters } = model
  return {
    [`vllm:num_requests_running${LABELS}`]: model.running,
    [`vllm:num_requests_waiting${LABELS}`]: model.waiting,
    [`vllm:kv_cache_usage_perc${LABELS}`]: model.kvUsage,
    [`vllm:num_preemptions_total${LABELS}`]: counters.preemptions,
    [`vllm:prefix_cache_queries_total${LABELS}`]: counters.prefixQueries,
    [`vllm:prefix_cache_hits_total${LABELS}`]: counters.prefixHits,
    [`vllm:prompt_tokens_total${LABELS}`]: counters.promptTokens,
    [`vllm:prompt_tokens_cached_total${LABELS}`]: counters.cachedPromptTokens,
    [`vllm:generation_tokens_total${LABELS}`]: counters.generationTokens,
  }
}
