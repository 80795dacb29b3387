// Prints how often the queue-trend rule calls a simulated queue growing: `node bench/queue-trend.ts [trials]`.
import { markdownTable } from 'markdown-table'
import { queueTrend } from '../src/core/telemetry/queue-trend.ts'
import { simulateQueue } from './queue-simulation.ts'
import type { Engine } from './queue-simulation.ts'

const LOADS = [0.8, 0.9, 0.95, 0.97, 1.02, 1.05, 1.1]

const ENGINES: { engine: Engine; windows: number[] }[] = [
  {
    engine: {
      title: 'four replicas, mixed classes (245 in flight at capacity)',
      capacityRps: 25,
      classes: [
        { workSeconds: 4.3, share: 0.7 },
        { workSeconds: 14, share: 0.2 },
        { workSeconds: 40, share: 0.1 },
      ],
      exponential: false,
      slots: 1024,
      warmupSeconds: 60,
    },
    windows: [300, 600, 900],
  },
  {
    engine: {
      title: 'one small engine, eight slots',
      capacityRps: 4,
      classes: [{ workSeconds: 2, share: 1 }],
      exponential: true,
      slots: 8,
      warmupSeconds: 60,
    },
    windows: [300, 600, 900],
  },
  {
    engine: {
      title: 'one shared processor (nothing but noise below capacity)',
      capacityRps: 10,
      classes: [{ workSeconds: 0.1, share: 1 }],
      exponential: true,
      slots: 1024,
      warmupSeconds: 60,
    },
    windows: [300, 600, 900],
  },
  {
    engine: {
      title: 'the demo’s two replicas, short windows',
      capacityRps: 60,
      classes: [
        { workSeconds: 0.2, share: 0.7 },
        { workSeconds: 0.4, share: 0.3 },
      ],
      exponential: false,
      slots: 16,
      warmupSeconds: 2,
    },
    windows: [5, 10, 20],
  },
]

const trials = Number(process.argv[2] ?? 200)
for (const { engine, windows } of ENGINES) {
  const rows = windows.map((seconds) => [
    `${seconds} s`,
    ...LOADS.map((load) => {
      let calls = 0
      for (let trial = 0; trial < trials; trial += 1) {
        const seen = simulateQueue(engine, load, seconds, `${engine.title}/${load}/${seconds}/${trial}`)
        if (queueTrend(seen).trend === 'growing') calls += 1
      }
      return `${((100 * calls) / trials).toFixed(1)} %`
    }),
  ])
  const header = ['window', ...LOADS.map((load) => `${Math.round(load * 100)} %`)]
  process.stdout.write(`\n${engine.title}: called growing, by load (n = ${trials})\n\n`)
  process.stdout.write(`${markdownTable([header, ...rows], { align: ['l', ...LOADS.map(() => 'r')] })}\n`)
}
