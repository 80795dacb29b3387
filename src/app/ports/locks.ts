/** A lock file of this machine, as it was found. */
export interface LockSeen {
  /** What is locked: `gpu-GPU-…`, `port-18000`. */
  name: string
  path: string
  /** `held`: its process lives. `left`: it has ended. `elsewhere`: it runs where it cannot be looked at. */
  state: 'held' | 'left' | 'elsewhere'
  /** Who, for whom and for how long, in one line. */
  holder: string
}

/** The locks of this machine that this user can see. */
export type SeeLocks = () => Promise<readonly LockSeen[]>
