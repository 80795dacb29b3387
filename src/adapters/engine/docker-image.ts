import { z } from 'zod'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { accepted, isDockerGone, dockerUnavailable, lastLine } from './docker-program.ts'
import type { Docker, DockerAnswer } from './docker-program.ts'

/** An image that is on this machine. */
export interface StagedImage {
  /** As the manifest names it. */
  reference: string
  /** The daemon's id of the content that the reference's digest names. */
  id: string
}

const INSPECT_MS = 30_000
/** The largest engine images take half an hour over a slow line. */
const PULL_MS = 3_600_000
const DIGEST = /(?:^|@)(sha256:[0-9a-f]{64})$/
/** Nothing that a command line, a log or Docker itself would read as something else than a name. */
const NAME = /^(?:[A-Za-z0-9[][A-Za-z0-9._:/[\]-]*@)?sha256:[0-9a-f]{64}$/

const imageSchema = z.object({ Id: z.string(), RepoDigests: z.array(z.string()).nullish() })

/**
 * Sees that an image is there, and pulls it where it is not. `name@sha256:…` names it by the registry's digest, a bare `sha256:…` by
 * its id. Throws GateError: `image_without_digest`, `image_invalid`, `image_not_found` and `image_mismatch` (exit 4),
 * `image_unavailable`, `docker_unavailable`.
 */
export async function stageImage(
  docker: Docker,
  reference: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<StagedImage> {
  const digest = DIGEST.exec(reference)?.[1]
  if (digest === undefined) throw withoutDigest(reference)
  if (!NAME.test(reference)) throw invalid(reference, 'its name has characters that no image’s has')
  const there = await localImage(docker, reference, digest, signal)
  if (there !== null) return there
  if (reference === digest) throw unavailable(reference, 'an image that is named by its id alone cannot be pulled')
  say(`pulling ${reference}`)
  const pulled = await docker.call(['pull', '--quiet', '--', reference], { deadlineMs: PULL_MS, signal })
  if (!pulled.ok) throw notPulled(reference, pulled)
  const now = await localImage(docker, reference, digest, signal)
  if (now === null) throw unavailable(reference, 'it was pulled and is not there')
  return now
}

/** Null where it is not on this machine. */
async function localImage(
  docker: Docker,
  reference: string,
  digest: string,
  signal: AbortSignal,
): Promise<StagedImage | null> {
  const answer = await docker.call(['image', 'inspect', '--format', '{{json .}}', '--', reference], {
    deadlineMs: INSPECT_MS,
    signal,
  })
  if (!answer.ok && /no such image|not found/i.test(answer.stderr)) return null
  const image = imageSchema.parse(JSON.parse(accepted(answer, `look at the image ${reference}`)))
  const digests = [image.Id, ...(image.RepoDigests ?? []).map((name) => DIGEST.exec(name)?.[1])]
  if (digests.includes(digest)) return { reference, id: image.Id }
  throw new GateError({
    code: 'image_mismatch',
    message: `the daemon gives the image ${image.Id} for ${reference}, which has another digest`,
    hint: 'remove the image and let it be pulled again',
    exitCode: EXIT.invalid,
  })
}

function withoutDigest(reference: string): GateError {
  return new GateError({
    code: 'image_without_digest',
    message: `the image ${JSON.stringify(reference)} is not named by its digest`,
    hint: 'write name@sha256:<64 hex digits>; `docker buildx imagetools inspect` prints it',
    exitCode: EXIT.invalid,
  })
}

function invalid(reference: string, why: string): GateError {
  return new GateError({
    code: 'image_invalid',
    message: `${JSON.stringify(reference)} names no image: ${why}`,
    hint: 'write registry/name@sha256:<64 hex digits>, in small letters',
    exitCode: EXIT.invalid,
  })
}

function notPulled(reference: string, answer: DockerAnswer): GateError {
  if (isDockerGone(answer)) return dockerUnavailable(answer)
  const said = lastLine(answer)
  if (/invalid reference format/i.test(answer.stderr)) return invalid(reference, said)
  if (/manifest unknown|manifest for .* not found|not found|does not exist|denied/i.test(answer.stderr)) {
    return new GateError({
      code: 'image_not_found',
      message: `the registry has no image ${reference}, or does not show it: ${said}`,
      hint: 'compare the digest with the registry’s; log in with docker login where the image is private',
      exitCode: EXIT.invalid,
    })
  }
  if (/no space left|disk quota/i.test(answer.stderr)) {
    return new GateError({
      code: 'image_unavailable',
      message: `there is no room for the image ${reference}: ${said}`,
      hint: 'free some disk below the daemon’s data folder: docker image prune, docker system df',
    })
  }
  return unavailable(reference, said)
}

function unavailable(reference: string, why: string): GateError {
  return new GateError({
    code: 'image_unavailable',
    message: `the image ${reference} is not on this machine and cannot be pulled: ${why}`,
    hint: 'check the network and the registry, or load the image with docker load or docker pull',
  })
}
