import { expect, it } from 'vitest'
import { acceptance } from '../../../src/core/report/accept.ts'
import { parseContextFile } from '../../../src/core/report/context-file.ts'
import { CASES } from './report-fixture.ts'

function commands(context: { packPath: string; hasSubjectFile?: true }): string[] {
  const lost = CASES['regressed-warm']?.()
  if (lost === undefined) throw new Error('no such case')
  return acceptance({ ...lost, context: { ...lost.context, ...context } })?.commands ?? []
}

it('the sweep by which a loss is accepted measures what was measured: the manifest, and the subject that overrode it', () => {
  expect(commands({ packPath: 'slower' })[0]).toMatch(/^capacity-gate run slower\/workload-manifest.yaml --plan sweep /)
  expect(commands({ packPath: 'slower', hasSubjectFile: true })[0]).toMatch(
    /^capacity-gate run slower\/workload-manifest.yaml --subject slower\/subject.yaml --plan sweep /,
  )
})

it('whether a subject overrode it is kept in report-context.json', () => {
  const file = {
    onMissingBaseline: 'fail',
    onHostChange: 'remeasure',
    context: { toolVersion: '1', hasSubjectFile: true },
  }
  expect(parseContextFile(JSON.stringify(file))).toEqual(file)
})
