import { showNumber, showValue, type Breach, type Path } from '../finding.ts'
import { valueAt } from '../schema-findings.ts'
import type { Rule, RuleInput } from './rule.ts'

const PLACEMENT: Path = ['engine', 'placement']
const DEPLOY: Path = ['engine', 'deploy']
/** What an argument list may ask to be filled in. */
const PLACEHOLDERS = { process: ['{node}', '{port}', '{replica}', '{fixture_engine}'], docker: ['{port}', '{replica}'] }
const ROUTERS: Readonly<Record<string, readonly string[]>> = {
  docker: ['client', 'container', 'engine', 'external'],
  process: ['client', 'engine', 'external'],
  endpoint: ['client', 'engine', 'external'],
}

type Draft = RuleInput['draft']

/** The placement, where all its numbers are there. */
function placementOf(draft: Draft) {
  const { tp, pp, dp, replicas, gpus } = draft.engine?.placement ?? {}
  const isWhole =
    tp !== undefined && pp !== undefined && dp !== undefined && replicas !== undefined && gpus !== undefined
  return isWhole ? { tp, pp, dp, replicas, gpus } : null
}

/** How many servers are deployed: one for each replica, or one that holds them all. */
function servers(draft: Draft): number | null {
  const deploy = draft.engine?.deploy
  const replicas = draft.engine?.placement?.replicas
  if (deploy === undefined || replicas === undefined) return null
  return deploy.router?.kind === 'engine' ? 1 : replicas
}

function notDeployed({ raw }: RuleInput): Breach[] {
  if (valueAt(raw, ['engine', 'deploy']) !== undefined) return []
  return [{ path: DEPLOY, at: 'key', message: '`engine.deploy` is missing: there is nothing to run' }]
}

function gpuProduct({ draft }: RuleInput): Breach[] {
  const placement = placementOf(draft)
  if (placement === null || placement.gpus === 0) return []
  const { tp, pp, replicas, gpus } = placement
  const product = tp * pp * replicas
  if (product === gpus) return []
  const message = `tp ${tp} × pp ${pp} × replicas ${replicas} is ${product}; placement.gpus is ${gpus}`
  return [{ path: [...PLACEMENT, 'gpus'], message }]
}

function dataParallel({ draft }: RuleInput): Breach[] {
  const placement = placementOf(draft)
  if (placement === null || placement.gpus === 0 || placement.dp === placement.replicas) return []
  const message = `placement.dp is ${placement.dp}, placement.replicas is ${placement.replicas}`
  return [{ path: [...PLACEMENT, 'dp'], message }]
}

function gpuLists({ draft }: RuleInput): Breach[] {
  const deploy = draft.engine?.deploy
  const placement = placementOf(draft)
  if (deploy === undefined || !('gpus' in deploy) || !Array.isArray(deploy.gpus) || placement === null) return []
  const groups: readonly (readonly number[])[] = deploy.gpus
  const path = [...DEPLOY, 'gpus']
  const wantedGroups = servers(draft) ?? placement.replicas
  const wantedSize = (placement.tp * placement.pp * placement.replicas) / wantedGroups
  const breaches: Breach[] = []
  if (groups.length !== wantedGroups) {
    breaches.push({
      path,
      at: 'key',
      message: `\`engine.deploy.gpus\` has ${groups.length} lists for ${wantedGroups} servers`,
    })
  }
  for (const [index, group] of groups.entries()) {
    if (group.length === wantedSize) continue
    breaches.push({
      path: [...path, index],
      message: `GPU list ${index} has ${group.length} GPUs; a server needs ${wantedSize}`,
    })
  }
  const seen = new Set<number>()
  const twice = groups.flat().find((gpu) => seen.size === seen.add(gpu).size)
  if (twice !== undefined)
    breaches.push({ path, at: 'key', message: `GPU ${twice} stands twice in \`engine.deploy.gpus\`` })
  return breaches
}

/** `0-2,5` → 0, 1, 2, 5. No machine has more CPUs than are looked at. */
function cpusIn(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return Array.from({ length: Math.min(8192, Math.max(0, last - first + 1)) }, (_, index) => first + index)
  })
}

function cpuSets({ draft }: RuleInput): Breach[] {
  const deploy = draft.engine?.deploy
  const { engine, client } = (deploy?.kind === 'docker' ? deploy.cpus : undefined) ?? {}
  if (engine === undefined || client === undefined) return []
  const ofEngine = new Set(cpusIn(engine))
  const both = cpusIn(client).find((cpu) => ofEngine.has(cpu))
  if (both === undefined) return []
  return [
    { path: [...DEPLOY, 'cpus', 'client'], message: `CPU ${both} stands in both lists of \`engine.deploy.cpus\`` },
  ]
}

function endpointCount({ draft }: RuleInput): Breach[] {
  const deploy = draft.engine?.deploy
  const wanted = servers(draft)
  if (deploy?.kind !== 'endpoint' || deploy.urls === undefined || wanted === null || deploy.urls.length === wanted)
    return []
  const message = `\`engine.deploy.urls\` names ${deploy.urls.length} servers; the placement has ${wanted}`
  return [{ path: [...DEPLOY, 'urls'], at: 'key', message }]
}

function routerKind({ draft }: RuleInput): Breach[] {
  const deploy = draft.engine?.deploy
  const router = deploy?.router?.kind
  if (deploy === undefined || router === undefined) return []
  const fits = ROUTERS[deploy.kind ?? 'docker'] ?? []
  if (fits.includes(router)) return []
  const message = `a router of kind ${router} does not go with engine.deploy.kind ${deploy.kind}`
  return [{ path: [...DEPLOY, 'router', 'kind'], message, hint: `Use ${fits.join(' or ')}.` }]
}

function portRange({ draft }: RuleInput): Breach[] {
  const deploy = draft.engine?.deploy
  if (deploy === undefined || !('first_port' in deploy) || deploy.first_port === undefined) return []
  const last = deploy.first_port + (servers(draft) ?? 1) - 1
  if (last <= 65535) return []
  const message = `the last server's port would be ${showNumber(last)}; ports end at 65,535`
  return [{ path: [...DEPLOY, 'first_port'], message }]
}

/** The argument list that is filled in for each replica. */
function templated(draft: Draft) {
  const deploy = draft.engine?.deploy
  if (deploy?.kind === 'process') return { key: 'argv', argv: deploy.argv ?? [], known: PLACEHOLDERS.process }
  if (deploy?.kind === 'docker') return { key: 'args', argv: deploy.args ?? [], known: PLACEHOLDERS.docker }
  return null
}

function portPlaceholder({ draft, dialect }: RuleInput): Breach[] {
  const list = templated(draft)
  const generatesPort = dialect.arguments.some(({ value }) => value !== null && 'of' in value && value.of === 'port')
  // A container may also read its port from its environment.
  if (list?.key !== 'argv' || list.argv.length === 0 || generatesPort || (servers(draft) ?? 1) < 2) return []
  if (list.argv.some((argument) => argument.includes('{port}'))) return []
  const message = `\`engine.deploy.argv\` has no {port}: ${servers(draft)} replicas would listen on one port`
  return [{ path: [...DEPLOY, 'argv'], at: 'key', message }]
}

function unknownPlaceholder({ draft }: RuleInput): Breach[] {
  const list = templated(draft)
  if (list === null) return []
  return list.argv.flatMap((argument, index): Breach[] => {
    const unknown = argument.match(/\{[a-z][a-z_]*\}/g)?.find((name) => !list.known.includes(name))
    if (unknown === undefined) return []
    const message = `${showValue(unknown)} is no placeholder; ${list.known.join(', ')} are`
    return [{ path: [...DEPLOY, list.key, index], message }]
  })
}

const deployable = { level: 'deployable', severity: 'error' } as const
const valid = { level: 'valid', severity: 'error' } as const

export const PLACEMENT_RULES: readonly Rule[] = [
  {
    id: 'deploy-not-declared',
    title: 'Nothing says how the engine is deployed',
    ...deployable,
    why: 'A run deploys the engine itself, or is told where it is up.',
    mend: 'Add engine.deploy with kind docker, process or endpoint.',
    check: notDeployed,
  },
  {
    id: 'placement-gpus',
    title: 'The placement does not use the GPUs that it names',
    ...deployable,
    why: 'tp × pp GPUs a replica times the replicas is what runs; capacity for each GPU is computed from placement.gpus. Off at gpus 0.',
    mend: 'Correct tp, pp, replicas or gpus.',
    check: gpuProduct,
  },
  {
    id: 'placement-dp',
    title: 'dp and replicas differ',
    ...deployable,
    why: 'Data parallelism is the number of replicas; two numbers for one thing mean that one of them is wrong. Off at gpus 0.',
    mend: 'Make them equal.',
    check: dataParallel,
  },
  {
    id: 'gpu-lists',
    title: 'The GPU lists do not fit the placement',
    ...valid,
    why: 'Each server gets a list of its own, of tp × pp GPUs, and no GPU serves two.',
    mend: 'Write one list for each replica, e.g. [[0,1],[2,3]], or auto.',
    check: gpuLists,
  },
  {
    id: 'cpu-sets-overlap',
    title: 'Engine and client share CPUs',
    ...valid,
    why: 'A client that waits for a CPU that the engine has sends late, and an engine that waits for one that the client has is slow.',
    mend: 'Give each its own CPUs, e.g. {engine: "0-79", client: "80-95"}.',
    check: cpuSets,
  },
  {
    id: 'endpoint-count',
    title: 'The servers that are up are not those of the placement',
    ...deployable,
    why: 'Each replica is asked who it is, reset and scraped itself, also behind a router, whose own address is engine.deploy.router.url.',
    mend: 'Name one URL for each replica, or one with a router of kind engine.',
    check: endpointCount,
  },
  {
    id: 'router-kind',
    title: 'The router does not go with the deployment',
    ...deployable,
    why: 'A router in a container is started beside containers only; whatever else is already up is external.',
    mend: 'Use the router kind client.',
    check: routerKind,
  },
  {
    id: 'port-range',
    title: 'The ports run past 65535',
    ...valid,
    why: 'Each server listens on the port after the one before.',
    mend: 'Lower engine.deploy.first_port.',
    check: portRange,
  },
  {
    id: 'port-placeholder',
    title: "The process's arguments do not take a port",
    ...valid,
    why: 'Every replica runs the same arguments; without {port} all but the first find the port in use.',
    mend: 'Write {port} where the port goes, e.g. [--port, "{port}"].',
    check: portPlaceholder,
  },
  {
    id: 'unknown-placeholder',
    title: 'An argument has a placeholder that nothing fills in',
    level: 'valid',
    severity: 'warning',
    why: 'It reaches the engine as it stands.',
    mend: 'Use {node}, {port}, {replica} or {fixture_engine}.',
    check: unknownPlaceholder,
  },
]
