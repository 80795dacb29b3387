// Memory over the requests and tokens of an hour at 24 requests a second and 243 tokens each, sent as fast as the machine goes: looked at
// after each tenth, garbage collected: `npm run bench -- soak [--requests 86400] [--tokens 243]`.
import { startTruthServer } from './native/truth-server.ts'
import type { Figure } from './instrument/figure.ts'
import { benchCommand, progress } from './instrument/figure.ts'
import type { Memory } from './instrument/memory.ts'
import { collectGarbage, memoryNow } from './instrument/memory.ts'
import { mustBeWhole, runOurs } from './instrument/our-client.ts'
import { benchRows } from './instrument/requests.ts'

const IN_FLIGHT = 64
const PARTS = 10
/** Flat: less growth than this for each thousand requests, which is five MiB an hour at 24 a second. */
const MOST_KIB_PER_1000 = 60
/** The process's memory grows in steps, when the allocator takes more from the system: its end is held against its second tenth. */
const MOST_RSS_RATIO = 1.1

/** Least squares over the parts after the first, in which pools and compiled code grow: KiB for each thousand requests. */
function growthKiB(memories: readonly Memory[], requestsAPart: number, of: keyof Memory): number {
  const points = memories
    .slice(1)
    .map((memory, index) => ({ x: ((index + 1) * requestsAPart) / 1000, y: memory[of] * 1024 }))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const over = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0)
  return over / points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
}

await benchCommand({ requests: 86_400, tokens: 243 }, async ({ requests, tokens }) => {
  await using server = await startTruthServer({ firstUs: 1000, everyUs: 0 })
  const perPart = Math.ceil(requests / PARTS)
  const rows = benchRows('r', perPart * PARTS, tokens, null)
  const blocks = Array.from({ length: PARTS }, (_, part) => rows.slice(part * perPart, (part + 1) * perPart))
  const memories: Memory[] = []
  const look = (): void => {
    collectGarbage()
    memories.push(memoryNow())
    const { rssMiB, heapMiB } = memories.at(-1) as Memory
    progress(
      `after ${memories.length * perPart} requests: RSS ${rssMiB.toFixed(1)} MiB, heap ${heapMiB.toFixed(1)} MiB`,
    )
  }
  const load = { closedConcurrency: IN_FLIGHT }
  const run = mustBeWhole(await runOurs({ url: server.url, load, blocks, countsOnly: true, onBlock: look }))
  look()
  if (run.events !== rows.length * tokens) throw new Error(`${run.events} of ${rows.length * tokens} events were seen`)
  const [heap, rss] = [growthKiB(memories, perPart, 'heapMiB'), growthKiB(memories, perPart, 'rssMiB')]
  const tenths = (of: keyof Memory) => memories.map((memory) => memory[of].toFixed(0)).join(' ')
  const amount = `${rows.length.toLocaleString('en')} requests, ${(run.events / 1e6).toFixed(1)} M events in ${(run.wallUs / 1e6).toFixed(0)} s`
  const figure = (what: string, of: keyof Memory, growth: number, goal: string, isMet: boolean): Figure => ({
    what: `${what} after each tenth of ${amount}, MiB`,
    ours: tenths(of),
    reference: null,
    compared: `${growth.toFixed(1)} KiB for each 1,000 requests`,
    goal,
    isMet,
  })
  const isLevel = (memories.at(-1)?.rssMiB ?? Infinity) <= MOST_RSS_RATIO * (memories[1]?.rssMiB ?? Number.NaN)
  return [
    figure('heap', 'heapMiB', heap, `≤ ${MOST_KIB_PER_1000} KiB`, heap <= MOST_KIB_PER_1000),
    figure('process memory (RSS)', 'rssMiB', rss, `last ≤ ${MOST_RSS_RATIO} × second`, isLevel),
  ]
})
