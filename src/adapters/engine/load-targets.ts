import type { Replica } from '../../app/ports/engine.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { engineOrigin } from '../system/engine-origin.ts'

/** Where load is sent: to each replica, or to the router that stands before them; `container` is the origin of one that was started. */
export function loadTargets(manifest: Manifest, replicas: readonly Replica[], container?: string): readonly Replica[] {
  const router = manifest.engine.deploy?.router
  if (router?.kind === 'external') return [{ index: 0, url: engineOrigin(router.url) }]
  if (router?.kind === 'container' && container !== undefined) return [{ index: 0, url: container }]
  return replicas
}
