import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeRefusal } from '../../../src/entry/needed-node.ts'
import { root } from './cli-in-process.ts'

const sourceOf = (name: string) => readFileSync(join(root, 'src/entry', name), 'utf8')

test.each(['20.20.2', '22.18.0', '18.0.0', '', 'x'])('Node %s is told which one is needed', (version) => {
  const refusal = nodeRefusal(version)
  expect(refusal).toMatch(/^error: capacity-gate needs Node 22\.19 or newer, and this is Node .*\nhint: .*\n$/)
  expect(refusal).toContain(version)
})

test.each(['22.19.0', '24.0.0', '26.1.0', '24.22.3-nightly', process.versions.node])('Node %s is let in', (version) => {
  expect(nodeRefusal(version)).toBeNull()
})

test('the command line asks before it loads what an older Node cannot', () => {
  expect([...sourceOf('cli.ts').matchAll(/^import .*$/gm)].map(String)).toEqual([
    "import { nodeRefusal } from './needed-node.ts'",
  ])
  expect(sourceOf('needed-node.ts')).not.toMatch(/^import /m)
})
