import { expect, test } from 'vitest'
import { classesWorstFirst } from '../../../src/core/report/classes.ts'
import { GUARD, point, result } from '../gate/record-fixture.ts'

test('the classes that attained least stand first, before them one of which nothing succeeded', () => {
  const failed = point({ milliRps: GUARD.cold, outcome: 'fail' })
  const { interactive } = failed.slo.classes
  if (interactive === undefined) throw new Error('the fixture has no such class')
  Object.assign(interactive, { attainment: null, successful_count: 0, failed_count: interactive.attempted_count })
  expect(classesWorstFirst(result('confirm', [failed])).slice(0, 2)).toEqual(['interactive', 'long_context'])
})
