import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  deploymentLabels,
  removeContainerLeftovers,
  removeContainers,
} from '../../../../src/adapters/engine/docker-labels.ts'
import type { DockerAnswer } from '../../../../src/adapters/engine/docker-program.ts'
import { fakeDocker } from '../../../fakes/docker.ts'

const OWNER = 'capacity-gate.owner'
const owner = (await deploymentLabels('d')).labels[OWNER] ?? ''
const [pid = '', started = '', boot = '', space = ''] = owner.split('|')
const gone = ['4194301', '1', boot, space].join('|')

interface Listed {
  id?: string
  deploy?: string
  owner: string
  name?: string
}

/** What a clean-up removes and says, where the daemon lists such containers. */
async function cleaned(listed: readonly Listed[], remove: Partial<DockerAnswer> = { ok: true }) {
  const rows = listed.map(({ id = 'c'.repeat(64), deploy = 'd', owner: whose, name = 'capacity-gate-d-r0-1' }) =>
    [id, deploy, whose, name].map((field) => JSON.stringify(field)).join('\t'),
  )
  const docker = fakeDocker(([verb]) => (verb === 'ps' ? { ok: true, stdout: rows.join('\n') } : remove))
  const said = await removeContainerLeftovers(docker)
  return { said, removed: docker.calls.filter(([verb]) => verb === 'rm').map((args) => args.at(-1)) }
}

describe('a program that follows a run’s containers', () => {
  it('is ended where its run is gone, and no other', async () => {
    // By its arguments alone: it is told from others as the process table shows it.
    const folder = mkdtempSync(join(tmpdir(), 'followers-'))
    writeFileSync(join(folder, 'events'), 'setInterval(() => undefined, 1000)')
    const at = { cwd: folder, argv0: 'docker', stdio: 'ignore' } as const
    const [orphan, ours] = [gone, owner].map((whose) =>
      spawn(process.execPath, ['events', '--filter', `label=${OWNER}=${whose}`], at),
    )
    const ended = new Promise((resolve) => orphan?.once('exit', (_code, signal) => resolve(signal)))
    await removeContainerLeftovers(fakeDocker(() => ({ stderr: 'Cannot connect to the Docker daemon' })))
    expect(await ended).toBe('SIGKILL')
    expect(ours?.exitCode ?? ours?.signalCode).toBe(null)
    ours?.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
})

describe('containers that carry our labels', () => {
  it('are removed where their run is gone, or the machine was started anew', async () => {
    for (const whose of [gone, [pid, started, 'another boot', space].join('|')]) {
      const { said, removed } = await cleaned([{ owner: whose }])
      expect(removed).toEqual(['c'.repeat(64)])
      expect(said).toEqual([expect.stringMatching(/^removed what run \d+ left of deployment d: container c{12}$/)])
    }
  })

  it('stay where their run lives, or cannot be looked at from here', async () => {
    const elsewhere = ['4194301', '1', boot, 'pid:[1]'].join('|')
    expect((await cleaned([{ owner }, { owner: elsewhere }])).removed).toEqual([])
  })

  it('by an image’s own labels are none of ours', async () => {
    const foreign = [pid, started, 'another boot', ''].join('|')
    expect((await cleaned([{ owner: foreign, name: 'somebodys-engine' }])).removed).toEqual([])
    for (const whose of ['', 'x', '|', '-1|1|other|x', 'a|b|other|x']) {
      expect((await cleaned([{ owner: whose }])).removed).toEqual([])
    }
  })

  it('bring no line of their own into what is said, and no other container’s id', async () => {
    const { said, removed } = await cleaned([
      { owner: gone, deploy: `d\n::error::\u001b[31mpwned\n"x"\t"d"\t"${gone}"` },
    ])
    expect(removed).toEqual(['c'.repeat(64)])
    expect(said).toHaveLength(1)
    expect(said[0]).not.toContain('\n')
    expect(said[0]).not.toContain('\u001b')
  })

  it('that somebody else removes are no error; that cannot be removed are one', async () => {
    const docker = (stderr: string) => fakeDocker(() => ({ stderr }))
    const daemon = 'Error response from daemon: '
    await removeContainers(docker(`${daemon}removal of container c is already in progress\n`), ['c'])
    await removeContainers(docker(`${daemon}No such container: c\n${daemon}No such container: d\n`), ['c', 'd'])
    const stuck = removeContainers(docker(`${daemon}No such container: c\n${daemon}driver failed: device busy\n`), [
      'c',
    ])
    await expect(stuck).rejects.toMatchObject({ code: 'docker_failed' })
  })
})
