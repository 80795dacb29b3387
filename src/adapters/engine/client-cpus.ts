import type { Evidence } from '../../core/kernel/evidence.ts'
import { keepToCpus } from '../system/cpu-affinity.ts'
import type { DockerDeploy } from './docker-plan.ts'

/** `client.cpus`: whether this process, the load generator, keeps to the CPUs that the manifest leaves to it; it is moved there first. */
export async function clientCpus({ cpus }: Pick<DockerDeploy, 'cpus'>): Promise<Evidence[]> {
  if (cpus === undefined) return []
  const kept = await keepToCpus(cpus.client)
  const shared = { probe: 'client.cpus', required: false, blames: 'client' } as const
  if (kept === 'kept') return [{ ...shared, state: 'pass', text: `the client keeps to the CPUs ${cpus.client}` }]
  const advice = `start it with taskset --cpu-list ${cpus.client}`
  return [{ ...shared, state: 'unknown', text: `the client may use other CPUs than ${cpus.client}: ${advice}` }]
}
