import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchPlan } from '../../../../src/adapters/engine/launch-plan.ts'
import { FIXTURE } from '../../../../src/core/dialect/fixture-table.ts'
import { VLLM } from '../../../../src/core/dialect/vllm-table.ts'
import { processManifest } from '../../../fakes/manifest.ts'
import type { ManifestChange } from '../../../fakes/manifest.ts'

const around = { environment: { PATH: '/bin', HOME: '/root', OTHER: 'x', TOKEN: 'value' }, nodePath: '/opt/$&/node' }
const plan = (change: ManifestChange, dialect = FIXTURE) =>
  launchPlan({ manifest: processManifest(change), dialect, deployId: 'd', log: { write: () => undefined } }, around)

describe('a launch plan', () => {
  it('fills in node, port and replica, each as often as it stands', () => {
    const argv = ['{node}', '--name={replica}:{port}', '{port}', '{unknown}', '$HOME', 'a b']
    expect(plan({ argv, replicas: 2, firstPort: 7000 }).replicas).toEqual([
      {
        index: 0,
        port: 7000,
        url: 'http://127.0.0.1:7000',
        argv: ['/opt/$&/node', '--name=0:7000', '7000', '{unknown}', '$HOME', 'a b'],
        gpus: [],
      },
      {
        index: 1,
        port: 7001,
        url: 'http://127.0.0.1:7001',
        argv: ['/opt/$&/node', '--name=1:7001', '7001', '{unknown}', '$HOME', 'a b'],
        gpus: [],
      },
    ])
  })

  it('fills in the embedded engine’s program, which is there', () => {
    const { replicas } = plan({ argv: ['{node}', '{fixture_engine}'] })
    expect(replicas[0]?.argv[1]).toBe(join(import.meta.dirname, '../../../../fixtures/engine/main.ts'))
    expect(existsSync(replicas[0]?.argv[1] ?? '')).toBe(true)
  })

  it('has the manifest’s own fields as the dialect’s arguments after the subject’s', () => {
    const { replicas } = plan({ argv: ['vllm', 'serve'], model: { id: 'acme/m', max_model_len: 4096 } }, VLLM)
    const argv = replicas[0]?.argv ?? []
    expect(argv.slice(0, 2)).toEqual(['vllm', 'serve'])
    expect(argv[argv.indexOf('--model') + 1]).toBe('acme/m')
    expect(argv[argv.indexOf('--max-model-len') + 1]).toBe('4096')
  })

  it('hands on little of our environment, and what the probes need over what the manifest says', () => {
    const [name = ''] = Object.keys(VLLM.environment)
    const deploy = { env: { HOME: '/data', A: 'b', [name]: 'off' }, secrets: ['TOKEN'] }
    expect(plan({ deploy }, VLLM).environment).toEqual({
      PATH: '/bin',
      HOME: '/data',
      A: 'b',
      TOKEN: 'value',
      ...VLLM.environment,
    })
  })

  it('masks the secrets that it hands on, and the token that our requests bear', () => {
    const client = { connection: { bearer_token_env: 'OTHER_TOKEN' } }
    const change = processManifest({ deploy: { secrets: ['TOKEN'] } })
    const manifest = {
      ...change,
      client: { ...change.client, connection: { ...change.client.connection, ...client.connection } },
    }
    const environment = { ...around.environment, OTHER_TOKEN: 'bearer-me' }
    const order = { manifest, dialect: FIXTURE, deployId: 'd', log: { write: () => undefined } }
    const { secrets, environment: handedOn } = launchPlan(order, { ...around, environment })
    expect(secrets.mask('value bearer-me x')).toBe('*** *** x')
    expect(handedOn).not.toHaveProperty('OTHER_TOKEN')
  })

  it('has one process where the engine spreads requests itself', () => {
    expect(plan({ replicas: 4, deploy: { router: { kind: 'engine' } } }).replicas).toHaveLength(1)
  })

  it.each([
    { deploy: { router: { kind: 'container', image: 'h@sha256:1' } } },
    { deploy: { router: { kind: 'container', image: 'r@sha256:0' } } },
    { engine: { deploy: undefined } },
    { firstPort: 65_535, replicas: 2 },
  ])('is refused for %j', (change) => {
    expect(() => plan(change)).toThrow(expect.objectContaining({ code: 'not_deployable', exitCode: 4 }))
  })
})
