import { GateError } from '../../core/kernel/errors.ts'
import { portHolder } from '../system/tcp-ports.ts'

/** Names the port and, where it can be seen, who holds it. */
export async function portTaken(port: number, code: string, what: string): Promise<GateError> {
  const pid = await portHolder(port)
  return new GateError({
    code,
    message: `port ${port} ${what}${pid === null ? '' : ` (by process ${pid})`}`,
    hint: 'stop what listens there, or set another engine.deploy.first_port',
  })
}
