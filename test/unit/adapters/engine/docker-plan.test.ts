import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createArguments } from '../../../../src/adapters/engine/docker-arguments.ts'
import { dockerPlan } from '../../../../src/adapters/engine/docker-plan.ts'
import { routerConfiguration } from '../../../../src/adapters/engine/docker-router.ts'
import { FIXTURE } from '../../../../src/core/dialect/fixture-table.ts'
import { VLLM } from '../../../../src/core/dialect/vllm-table.ts'
import { processManifest } from '../../../fakes/manifest.ts'

const image = `engine@sha256:${'a'.repeat(64)}`
const environment = { HF_TOKEN: 'hf_1', LICENCE: 'secret', OTHER: 'x' }
function plan(deploy: Record<string, unknown>, dialect = FIXTURE, replicas = 2) {
  const manifest = processManifest({
    replicas,
    engine: { deploy: { kind: 'docker', image, first_port: 7000, ...deploy } },
  })
  return dockerPlan({ manifest, dialect, deployId: 'd', log: { write: () => undefined } }, environment)
}

describe('a plan of containers', () => {
  it('fills in port and replica, and puts what the manifest owns behind', () => {
    const { replicas } = plan({ args: ['--port={port}', '{replica}', '{node}'] })
    expect(replicas.map(({ argv, url }) => [argv, url])).toEqual([
      [['--port=7000', '0', '{node}'], 'http://127.0.0.1:7000'],
      [['--port=7001', '1', '{node}'], 'http://127.0.0.1:7001'],
    ])
    const argv = plan({ args: ['serve'] }, VLLM).replicas[1]?.argv ?? []
    expect(argv[0]).toBe('serve')
    expect(argv[argv.indexOf('--port') + 1]).toBe('7001')
  })

  it('gives the container its secrets by name, and no hub token at all', () => {
    const planned = plan({ secrets: ['HF_TOKEN', 'LICENCE'], env: { A: 'b' } })
    expect(planned.containerSecrets).toEqual({ LICENCE: 'secret' })
    expect(planned.environment).toEqual({ A: 'b', ...FIXTURE.environment })
    expect(planned.secrets.mask('hf_1 and secret')).toBe('*** and ***')
  })

  it('has a port for a router behind the replicas', () => {
    expect(plan({}).routerPort).toBe(7002)
    expect(() => plan({ first_port: 65_534, router: { kind: 'container', image } })).toThrow('reach beyond port 65535')
  })

  it('names its folders by their whole paths, as Docker wants them', () => {
    const { deploy } = plan({ weights: 'data/hf/', compile_cache: '../kernels' })
    expect([deploy.weights, deploy.compile_cache]).toEqual([resolve('data/hf'), resolve('../kernels')])
  })

  it('is refused for another kind', () => {
    const order = { manifest: processManifest({}), dialect: FIXTURE, deployId: 'd', log: { write: () => undefined } }
    expect(() => dockerPlan(order, {})).toThrow('engine.deploy.kind is process')
  })
})

describe('the arguments of docker create', () => {
  const order = {
    name: 'n',
    image,
    labels: { 'capacity-gate.deploy': 'd' },
    environment: { A: '$(b) "c"' },
    environmentNames: ['LICENCE'],
    mounts: [{ source: '/data/a,"b"', target: '/data', isReadOnly: true }],
    gpus: ['GPU-1', 'GPU-2'],
    deploy: {},
    argv: ['--port', '7000'],
  }
  const pairs = (args: readonly string[], flag: string) => args.filter((_, index) => args[index - 1] === flag)

  it('name everything typed, quote what Docker reads as CSV, and hold no secret', () => {
    const args = createArguments(order)
    expect(pairs(args, '--gpus')).toEqual(['"device=GPU-1,GPU-2"'])
    expect(pairs(args, '--mount')).toEqual(['type=bind,"source=/data/a,""b""",target=/data,readonly'])
    expect(pairs(args, '--env')).toEqual(['A=$(b) "c"', 'LICENCE'])
    expect(pairs(args, '--network')).toEqual(['host'])
    expect(pairs(args, '--pull')).toEqual(['never'])
    expect(args).toContain('--no-healthcheck')
    expect(args.slice(args.indexOf('--'))).toEqual(['--', image, '--port', '7000'])
  })

  it('turn limits into Docker’s units', () => {
    const deploy = {
      cpus: { engine: '0-3', client: '4' },
      shm_gib: 16,
      ipc: 'host' as const,
      ulimits: { memlock: -1, stack: 67_108_864 },
      memory_gib: 0.5,
    }
    const args = createArguments({ ...order, gpus: [], deploy })
    expect(args).not.toContain('--gpus')
    expect(pairs(args, '--cpuset-cpus')).toEqual(['0-3'])
    expect(pairs(args, '--shm-size')).toEqual([String(16 * 1024 ** 3)])
    expect(pairs(args, '--ipc')).toEqual(['host'])
    expect(pairs(args, '--ulimit')).toEqual(['memlock=-1:-1', 'stack=67108864:67108864'])
    expect([pairs(args, '--memory'), pairs(args, '--memory-swap')]).toEqual([['536870912'], ['536870912']])
  })
})

describe('the router’s configuration', () => {
  it('sends nothing twice, and asks each replica for its health', () => {
    const replicas = [0, 1].map((index) => ({ index, url: `http://127.0.0.1:${7000 + index}` }))
    const lines = routerConfiguration(7002, replicas, '/health').split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        '  retries 0',
        '  bind 127.0.0.1:7002',
        '  option httpchk GET /health',
        '  server r0 127.0.0.1:7000 check inter 1s fall 3 rise 1',
        '  server r1 127.0.0.1:7001 check inter 1s fall 3 rise 1',
      ]),
    )
  })
})
