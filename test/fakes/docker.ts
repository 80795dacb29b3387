import type { Docker, DockerAnswer } from '../../src/adapters/engine/docker-program.ts'

export interface FakeDocker extends Docker {
  /** Every call's arguments, in order. */
  readonly calls: string[][]
}

/** A docker program that answers what `says` makes of the arguments; null is a failure without a word. */
export function fakeDocker(says: (args: readonly string[]) => Partial<DockerAnswer> | null): FakeDocker {
  const calls: string[][] = []
  return {
    calls,
    async call(args, { signal }) {
      signal?.throwIfAborted()
      calls.push([...args])
      return { ok: false, stdout: '', stderr: '', ...says(args) }
    },
    follow: () => ({ ended: new Promise(() => undefined), stop: () => undefined }),
  }
}
