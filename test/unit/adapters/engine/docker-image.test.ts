import { describe, expect, it } from 'vitest'
import { stageImage } from '../../../../src/adapters/engine/docker-image.ts'
import type { DockerAnswer } from '../../../../src/adapters/engine/docker-program.ts'
import { fakeDocker } from '../../../fakes/docker.ts'

const digest = `sha256:${'a'.repeat(64)}`
const reference = `images.example/engine@${digest}`
const never = new AbortController().signal
const inspected = (Id: string, RepoDigests: string[]): Partial<DockerAnswer> => ({
  ok: true,
  stdout: JSON.stringify({ Id, RepoDigests }),
})
const absent = { stderr: 'Error: No such image: engine' }

function stage(says: Parameters<typeof fakeDocker>[0], name = reference) {
  const docker = fakeDocker(says)
  const said: string[] = []
  return { docker, said, staged: stageImage(docker, name, (line) => said.push(line), never) }
}

describe('an image', () => {
  it('that is there is not pulled', async () => {
    const { docker, said, staged } = stage(() => inspected('sha256:1', [reference]))
    expect(await staged).toEqual({ reference, id: 'sha256:1' })
    expect(docker.calls.map(([verb]) => verb)).toEqual(['image'])
    expect(said).toEqual([])
  })

  it('that is not there is pulled by its digest, and looked at again', async () => {
    let isThere = false
    const { docker, said, staged } = stage(([verb]) => {
      if (verb === 'pull') isThere = true
      if (verb === 'pull') return { ok: true }
      return isThere ? inspected('sha256:1', [reference]) : absent
    })
    expect(await staged).toEqual({ reference, id: 'sha256:1' })
    expect(docker.calls[1]).toEqual(['pull', '--quiet', '--', reference])
    expect(said).toEqual([`pulling ${reference}`])
  })

  it('may be named by its id alone, which is never pulled', async () => {
    expect(await stage(() => inspected(digest, []), digest).staged).toEqual({ reference: digest, id: digest })
    const { docker, staged } = stage(() => absent, digest)
    await expect(staged).rejects.toMatchObject({ code: 'image_unavailable', exitCode: 1 })
    expect(docker.calls).toHaveLength(1)
  })

  it('that the daemon gives for another digest is refused', async () => {
    const other = `images.example/engine@sha256:${'b'.repeat(64)}`
    const { staged } = stage(() => inspected('sha256:1', [other]))
    await expect(staged).rejects.toMatchObject({ code: 'image_mismatch', exitCode: 4 })
  })

  it.each(['engine', 'engine:latest', 'engine@sha256:abc', `engine@${digest.toUpperCase()}`])(
    'without a digest is refused before Docker is asked: %s',
    async (name) => {
      const { docker, staged } = stage(() => absent, name)
      await expect(staged).rejects.toMatchObject({ code: 'image_without_digest', exitCode: 4 })
      expect(docker.calls).toEqual([])
    },
  )

  it.each(['--all-tags', 'a b', 'x\n::error::y', 'x\u001b[31m', ''])(
    'with a name that is none is refused before Docker is asked: %j',
    async (name) => {
      const { docker, said, staged } = stage(() => absent, `${name}@${digest}`)
      await expect(staged).rejects.toMatchObject({ code: 'image_invalid', exitCode: 4 })
      const message = await staged.catch((error: unknown) => String(error))
      expect(message).toContain(' names no image')
      expect(message).not.toContain('\n')
      expect(message).not.toContain('\u001b')
      expect([docker.calls, said]).toEqual([[], []])
    },
  )

  const daemon = 'Error response from daemon: '
  it.each([
    [`${daemon}manifest for ${reference} not found: manifest unknown`, 'image_not_found', 4],
    [`${daemon}pull access denied for engine, repository does not exist`, 'image_not_found', 4],
    [
      `${daemon}Get "https://images.example/v2/": dial tcp: lookup images.example: no such host`,
      'image_unavailable',
      1,
    ],
    [`${daemon}Get "http://images.example/v2/": connect: connection refused`, 'image_unavailable', 1],
    ['invalid reference format: repository name (E) must be lowercase', 'image_invalid', 4],
    ['failed to register layer: write /x: no space left on device', 'image_unavailable', 1],
    ['Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?', 'docker_unavailable', 1],
  ])('that cannot be pulled: %s', async (stderr, code, exitCode) => {
    const { staged } = stage(([verb]) => (verb === 'pull' ? { stderr } : absent))
    await expect(staged).rejects.toMatchObject({ code, exitCode })
  })

  it('cannot be looked at without a daemon, or without the program', async () => {
    for (const stderr of ['error during connect: EOF', 'spawn docker ENOENT']) {
      await expect(stage(() => ({ stderr })).staged).rejects.toMatchObject({ code: 'docker_unavailable' })
    }
  })
})
