import { expect, it } from 'vitest'
import { githubPublisher } from '../../../../src/adapters/github/publisher.ts'
import { recordingToolkit } from '../../../fakes/toolkit.ts'

it('places an annotation on its line, and says how many it had no room for', () => {
  const toolkit = recordingToolkit()
  const many = Array.from({ length: 12 }, (_, index) => ({
    level: 'error' as const,
    title: 'rule',
    message: `finding ${index}`,
    file: 'workload-manifest.yaml',
    line: index + 1,
    column: 3,
  }))
  githubPublisher({ toolkit, comment: { skipped: '' } }).annotate([
    ...many,
    { level: 'notice', title: 't', message: 'n' },
  ])
  expect(toolkit.annotations[0]).toEqual({
    level: 'error',
    message: 'finding 0',
    title: 'rule',
    file: 'workload-manifest.yaml',
    startLine: 1,
    startColumn: 3,
  })
  expect(toolkit.annotations).toHaveLength(11)
  expect(toolkit.annotations[9]?.message).toBe('and 3 more: see the log')
})
