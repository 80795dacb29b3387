import { EXIT, GateError } from '../kernel/errors.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { ArrivalLaw } from './arrival-times.ts'

/**
 * The generator of a manifest's arrival pattern, with what it takes beside the seed.
 *
 * @throws GateError `arrival_pattern` where the section of the pattern's name is missing (exit 4)
 */
export function arrivalLaw({ client }: Manifest): ArrivalLaw {
  switch (client.arrival_pattern) {
    case 'poisson':
      return { generator: 'poisson-1' }
    case 'constant':
      return { generator: 'constant-1' }
    case 'gamma': {
      const { shape } = client.gamma ?? missing('gamma')
      return { generator: 'gamma-1', pattern: { shape } }
    }
    case 'burst': {
      const { height, width_share, period_requests } = client.burst ?? missing('burst')
      return { generator: 'burst-1', pattern: { height, widthShare: width_share, periodRequests: period_requests } }
    }
    case 'ramp': {
      const { from, to } = client.ramp ?? missing('ramp')
      return { generator: 'ramp-1', pattern: { from, to } }
    }
    case 'trace': {
      const { sha256, format } = client.trace ?? missing('trace')
      return { generator: 'trace-1', pattern: { sha256, format } }
    }
  }
}

function missing(section: string): never {
  throw new GateError({
    code: 'arrival_pattern',
    message: `client.arrival_pattern is ${section}, and there is no client.${section}`,
    hint: `add client.${section}, or choose another pattern`,
    exitCode: EXIT.invalid,
  })
}
