import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { callOf, CALLS } from '../../../../src/adapters/github/calls-table.ts'
import { githubDescription } from '../../../fakes/github-openapi.ts'

const folder = join(import.meta.dirname, '../../../../src/adapters/github')
const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
const isRoute = ({ route }: { route: string }) => /^[A-Z]+ \/repos/.test(route)

it('lists every call that the room makes: there is no other way to make one', () => {
  const used = new Set(sources.flatMap((text) => [...text.matchAll(/CALLS\.(\w+)\.route/g)].map(([, name]) => name)))
  const listed = Object.entries(CALLS).flatMap(([name, call]) => (isRoute(call) ? [name] : []))
  expect([...used].toSorted()).toEqual(listed.toSorted())
  for (const text of sources) {
    expect(text).not.toMatch(/octokit\.rest\.|\.(?:request|paginate)\((?!\s*CALLS\.)/)
  }
})

it.each(Object.values(CALLS).filter(isRoute))('$route is a route of GitHub’s own description', ({ route }) => {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (/number|id/.test(name) ? '7' : 'x'))
  const faults = githubDescription().requestFaults({ method, path, query: new URLSearchParams(), body: undefined })
  expect(faults.filter((fault) => !fault.startsWith('body'))).toEqual([])
})

it('knows a call again by its address, on an Enterprise Server too', () => {
  const at = (path: string) => `https://ghe.example/api/v3/repos/acme/engine${path}`
  expect(callOf('get', at('/issues/7/comments?per_page=100'))).toBe(CALLS.listComments)
  expect(callOf('PATCH', at('/issues/comments/7'))).toBe(CALLS.updateComment)
  expect(callOf('GET', at('/pulls'))).toBe(CALLS.pullsOfBranch)
  expect(callOf('GET', at('/commits/abc/pulls'))).toBe(CALLS.pullsOfCommit)
  expect(callOf('DELETE', at('/pulls'))).toBeNull()
})
