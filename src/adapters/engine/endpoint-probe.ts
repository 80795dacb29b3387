import type { EngineProbe } from '../../app/ports/engine-probe.ts'
import { httpCaller } from '../system/bounded-http.ts'
import type { EngineConnection } from '../system/engine-connection.ts'
import { engineOrigin } from '../system/engine-origin.ts'

/** Calls to one endpoint. Throws GateError `endpoint_invalid` (exit 64). */
export function endpointProbe(url: string, connection?: EngineConnection): EngineProbe & AsyncDisposable {
  const origin = engineOrigin(url)
  const caller = httpCaller(connection)
  return {
    call: (call, signal) => caller.call({ ...call, origin }, signal),
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  }
}
