import type { DeployOrder, Replica } from '../../app/ports/engine.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import { sha256Hex } from '../../core/kernel/hash.ts'
import type { EngineControl, Told } from './control.ts'
import type { ReadyReplica } from './readiness.ts'

/** How what one replica told compares with what was declared. */
interface Compared {
  state: Evidence['state']
  text: string
}

/**
 * Whatever proves that the wrong thing was deployed says nothing of the subject: identity blames the host, so that the point becomes
 * invalid and never a loss of the engine's.
 */
export function identityEvidence(
  order: DeployOrder,
  probe: string,
  rest: Omit<Evidence, 'probe' | 'required' | 'blames'>,
): Evidence {
  const required = order.manifest.acceptance.required_evidence.includes('identity')
  return { probe: `identity.${probe}`, required, blames: 'host', ...rest }
}

/** `identity.version` and `identity.model`, each over all replicas: the worst counts. */
export async function askedIdentity(
  order: DeployOrder,
  replicas: readonly Replica[],
  ready: readonly ReadyReplica[],
  control: EngineControl,
  signal: AbortSignal,
): Promise<Evidence[]> {
  const { version } = order.manifest.engine
  const { id } = order.manifest.model
  const versions = await Promise.all(replicas.map((replica) => control.version(replica.url, signal)))
  return [
    overReplicas(
      order,
      'version',
      versions.map((told) => compareVersion(told, version)),
    ),
    overReplicas(
      order,
      'model',
      ready.map(({ models }) => compareModel(models, id)),
    ),
  ]
}

function overReplicas(order: DeployOrder, probe: string, compared: readonly Compared[]): Evidence {
  const worst = (['fail', 'unknown', 'pass'] as const).find((state) => compared.some((one) => one.state === state))
  const texts = [...new Set(compared.filter((one) => one.state === worst).map((one) => one.text))]
  return identityEvidence(order, probe, { state: worst ?? 'unknown', text: texts.join('; ') })
}

/** A build's local label (`0.32.0+cpu`) may follow a declared release that has none; anything else must be equal. */
function compareVersion(told: Told<string>, declared: string): Compared {
  if ('why' in told) return { state: 'unknown', text: `the version is not proven: the engine ${told.why}` }
  const release = declared.includes('+') ? told.value : (told.value.split('+', 1)[0] ?? '')
  if (told.value === declared || release === declared)
    return { state: 'pass', text: `the engine says ${shown(told.value)}` }
  return { state: 'fail', text: `declared ${shown(declared)}, the engine says ${shown(told.value)}` }
}

function compareModel(told: Told<readonly string[]>, declared: string): Compared {
  if ('why' in told) return { state: 'unknown', text: `the model is not proven: the engine ${told.why}` }
  if (told.value.includes(declared)) return { state: 'pass', text: `the engine serves ${shown(declared)}` }
  const served = told.value.slice(0, 3).map(shown).join(', ')
  return { state: 'fail', text: `declared ${shown(declared)}, the engine serves ${served || 'nothing'}` }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}

/** What was ordered and what the kernel says runs. */
export interface RunArguments {
  ordered: readonly string[]
  /** Null where the system does not tell. */
  asRun: readonly string[] | null
}

/**
 * `identity.argv`: the arguments that the kernel holds against those ordered. A script's interpreter stands before them, and a wrapper
 * that ends in `exec "$@"` may already be gone from their front. The digest is of all replicas' arguments as JSON.
 */
export function argvIdentity(order: DeployOrder, replicas: readonly RunArguments[]): Evidence {
  const compared = replicas.map(({ ordered, asRun }, index): Compared => {
    if (asRun === null) return { state: 'unknown', text: 'the arguments that run cannot be read on this system' }
    return isAsOrdered(asRun, ordered)
      ? { state: 'pass', text: `${replicas.length} × ${ordered.length} arguments run as ordered` }
      : { state: 'fail', text: `replica ${index} runs with other arguments than ordered` }
  })
  const evidence = overReplicas(order, 'argv', compared)
  return { ...evidence, sha256: sha256Hex(JSON.stringify(replicas.map(argumentsOf))) }
}

function isAsOrdered(asRun: readonly string[], ordered: readonly string[]): boolean {
  const tail = asRun.slice(-ordered.length)
  const isBehindInterpreter = asRun.length > ordered.length && sameList(tail.slice(1), ordered.slice(1))
  return sameList(tail, ordered) || isBehindInterpreter || isUnwrapped(asRun, ordered)
}

/** When a wrapper replaces itself is a matter of microseconds: what was ordered is then all that two boots have in common. */
function isUnwrapped(asRun: readonly string[], ordered: readonly string[]): boolean {
  return asRun.length > 0 && asRun.length < ordered.length && sameList(ordered.slice(-asRun.length), asRun)
}

function argumentsOf({ asRun, ordered }: RunArguments): readonly string[] {
  return asRun === null || isUnwrapped(asRun, ordered) ? ordered : asRun
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
