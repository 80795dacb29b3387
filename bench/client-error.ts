// The client's own error in TTFT and E2E against a server that logs the truth, beside a minimal client in C on the same due times:
// `npm run bench -- client-error [--seconds 10] [--rounds 5]`.
import { benchCommand } from './instrument/figure.ts'
import { errorFigures } from './instrument/paced-figures.ts'
import { measurePaced } from './instrument/paced.ts'

await benchCommand({ seconds: 10, rounds: 5 }, async (options) =>
  errorFigures(await measurePaced({ ...options, ratesRps: [20, 100, 200] })),
)
