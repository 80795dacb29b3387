// How long after their due times requests are sent, beside a minimal client in C on the same due times:
// `npm run bench -- send-lag [--seconds 10] [--rounds 5]`.
import { benchCommand } from './instrument/figure.ts'
import { lagFigures } from './instrument/paced-figures.ts'
import { measurePaced } from './instrument/paced.ts'

await benchCommand({ seconds: 10, rounds: 5 }, async (options) =>
  lagFigures(await measurePaced({ ...options, ratesRps: [24, 200] })),
)
