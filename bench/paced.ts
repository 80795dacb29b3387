// Error, send lag and CPU of the same paced runs at rising rates: what client-error, send-lag and client-cpu measure, in one go:
// `npm run bench -- paced [--seconds 8] [--rounds 5]`.
import { benchCommand } from './instrument/figure.ts'
import { cpuFigures, errorFigures, lagFigures } from './instrument/paced-figures.ts'
import { measurePaced } from './instrument/paced.ts'

const ERROR_RATES_RPS = [20, 100, 200]

await benchCommand({ seconds: 8, rounds: 5 }, async (options) => {
  const rates = await measurePaced({ ...options, ratesRps: [20, 100, 200, 400, 800] })
  const errors = errorFigures(rates.filter(({ rateRps }) => ERROR_RATES_RPS.includes(rateRps)))
  return [...errors, ...lagFigures(rates.filter(({ rateRps }) => rateRps === 200)), ...cpuFigures(rates)]
})
