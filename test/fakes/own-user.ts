import { userInfo } from 'node:os'

/** The user who runs the tests, as the gate names one: in a container it may have no name. */
export function ownUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
