import { z } from 'zod'
import type { DeployOrder } from '../../app/ports/engine.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { StagedImage } from './docker-image.ts'
import type { DockerPlan } from './docker-plan.ts'
import { accepted } from './docker-program.ts'
import type { Docker } from './docker-program.ts'
import { argvIdentity, identityEvidence } from './identity.ts'
import type { StandingContainer } from './standing-containers.ts'

const containerSchema = z.object({ Image: z.string(), Path: z.string(), Args: z.array(z.string()) })
const ASK_MS = 10_000

/**
 * What the daemon says of the running containers: `identity.image`, the id of the content that each runs against that of the declared
 * digest, and `identity.argv`.
 */
export async function containerIdentity(
  docker: Docker,
  order: DeployOrder,
  plan: DockerPlan,
  image: StagedImage,
  containers: readonly StandingContainer[],
): Promise<Evidence[]> {
  const engines = containers.filter(({ replica }) => replica !== null)
  const running = await Promise.all(
    engines.map(async ({ id }) => {
      const answer = await docker.call(['inspect', '--format', '{{json .}}', id], { deadlineMs: ASK_MS })
      return containerSchema.parse(JSON.parse(accepted(answer, `look at the container ${id.slice(0, 12)}`)))
    }),
  )
  const other = running.findIndex((container) => container.Image !== image.id)
  const sha256 = image.id.replace(/^sha256:/, '')
  const ran =
    other < 0
      ? ({ state: 'pass', text: `${running.length} × ${image.reference} runs`, sha256 } as const)
      : ({ state: 'fail', text: `replica ${other} runs the image ${running[other]?.Image}, not ${image.id}` } as const)
  const argv = plan.replicas.map(({ argv: ordered }, index) => {
    const container = running[index]
    return { ordered, asRun: container ? [container.Path, ...container.Args] : null }
  })
  return [identityEvidence(order, 'image', ran), argvIdentity(order, argv)]
}
