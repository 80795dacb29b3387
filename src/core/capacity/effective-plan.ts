import type { Manifest } from '../manifest/schema.ts'
import type { Plan } from './record.ts'

interface Asked {
  plan: Plan
  onMissingBaseline: 'fail' | 'record'
  manifest: Pick<Manifest, 'sweep'>
  hasBaseline: boolean
}

/** A first run that is only recorded sweeps: a confirmation without an accepted capacity has nothing to ask. */
export function effectivePlan({ plan, onMissingBaseline, manifest, hasBaseline }: Asked): Plan {
  const isFirst = !hasBaseline && onMissingBaseline === 'record' && manifest.sweep !== undefined
  return isFirst ? 'sweep' : plan
}
