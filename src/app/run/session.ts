import type { Session } from '../../core/capacity/session.ts'
import { parseSession } from '../../core/capacity/session.ts'
import { packJson } from '../point/files.ts'
import type { Pack } from '../ports/pack.ts'

const SESSION_FILE = 'run.json'

/** The session that an earlier run left in the pack, or null. Throws GateError `session_damaged`. */
export async function readSession(pack: Pack): Promise<Session | null> {
  const bytes = await pack.read(SESSION_FILE)
  return bytes === null ? null : parseSession(new TextDecoder().decode(bytes))
}

export async function writeSession(pack: Pack, session: Session): Promise<void> {
  await pack.write(SESSION_FILE, packJson(session))
}
