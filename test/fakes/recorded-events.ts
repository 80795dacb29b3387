import examples from '@octokit/webhooks-examples'

export interface Payload {
  repository: { full_name: string; id: number; default_branch: string }
  [key: string]: unknown
}

/** Its own types say that the module has the list for a member, and at run time it is the list. */
const events = examples as unknown as { name: string; examples: Payload[] }[]

/** A payload that GitHub recorded; a copy. */
export function recorded(name: string, fits: (payload: Payload) => boolean = () => true): Payload {
  const found = events.find((event) => event.name === name)?.examples
  const payload = found?.find(fits)
  if (payload === undefined) throw new Error(`no ${name} was recorded`)
  return structuredClone(payload)
}

/** The same as if another repository, with `main` as its default branch, had sent it. */
export function recordedIn(repository: string, name: string, fits?: (payload: Payload) => boolean): Payload {
  const payload = recorded(name, fits)
  const { full_name: own, default_branch: branch } = payload.repository
  const text = JSON.stringify(payload).replaceAll(own, repository).replaceAll(`refs/heads/${branch}`, 'refs/heads/main')
  const moved = JSON.parse(text) as Payload
  moved.repository.default_branch = 'main'
  return moved
}
