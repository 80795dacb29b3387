import { GateError } from '../../core/kernel/errors.ts'
import { portListeners } from '../system/port-listeners.ts'

/** Names the port and, where it can be seen, who holds it. */
export async function portTaken(port: number, code: string, what: string): Promise<GateError> {
  const pid = (await portListeners(port))?.flat()[0]
  return new GateError({
    code,
    message: `port ${port} ${what}${pid === undefined ? '' : ` (by process ${pid})`}`,
    hint: 'stop what listens there, or set another engine.deploy.first_port',
  })
}
