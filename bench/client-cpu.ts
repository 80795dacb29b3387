// CPU of one streamed event at rising rates, beside a minimal client in C on the same due times:
// `npm run bench -- client-cpu [--seconds 6] [--rounds 3]`.
import { benchCommand } from './instrument/figure.ts'
import { cpuFigures } from './instrument/paced-figures.ts'
import { measurePaced } from './instrument/paced.ts'

await benchCommand({ seconds: 6, rounds: 3 }, async (options) =>
  cpuFigures(await measurePaced({ ...options, ratesRps: [20, 100, 200, 400, 800] })),
)
