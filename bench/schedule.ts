// The time to make the worked example's schedule (22,000 requests, 24,000 with its extension) and its longest prompt.
import { buildSchedule } from '../src/core/schedule/build-schedule.ts'
import { parseSchedule } from '../src/core/schedule/parse-schedule.ts'
import { promptTokenIds } from '../src/core/schedule/prompt.ts'
import { requestId } from '../src/core/schedule/schedule.ts'
import { workedExample } from '../test/unit/schedule/worked-example.ts'

function milliseconds(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** One line for each figure. */
export function benchSchedule(): string[] {
  const manifest = workedExample()
  const lines: string[] = []
  for (const [cache, requests] of [
    ['cold', 22_000],
    ['warm', 22_000],
    ['warm', 24_000],
  ] as const) {
    const first = milliseconds(() => buildSchedule(manifest, cache, { requests }))
    const { bytes } = buildSchedule(manifest, cache, { requests })
    const built = Array.from({ length: 7 }, () => milliseconds(() => buildSchedule(manifest, cache, { requests })))
    const parsed = Array.from({ length: 7 }, () => milliseconds(() => parseSchedule(bytes)))
    const bare = Array.from({ length: 7 }, () =>
      milliseconds(() => {
        for (const line of new TextDecoder().decode(bytes).split('\n')) if (line !== '') JSON.parse(line)
      }),
    )
    lines.push(
      `schedule ${cache} ${requests}: generated in ${first.toFixed(0)} ms at first, ${median(built).toFixed(0)} ms once warm; ` +
        `read in ${median(parsed).toFixed(0)} ms, ${(median(parsed) / median(bare)).toFixed(1)} × bare JSON.parse`,
    )
  }
  const prompts = milliseconds(() => {
    for (let number = 1; number <= 1000; number++) {
      promptTokenIds({ seed: 1, id: requestId('r', number), epoch: 7, inputTokens: 8192, range: [1000, 100000] })
    }
  })
  lines.push(`prompt of 8,192 token ids: ${prompts.toFixed(0)} µs`)
  return lines
}

if (import.meta.main) for (const line of benchSchedule()) console.log(line)
