import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gate } from '../../../src/core/gate/gate.ts'
import { baseline } from '../gate/record-fixture.ts'
import { root, scratch, workedExample } from './cli-in-process.ts'

export const folder = scratch()
const at = (name: string) => join(folder, name)
const write = (name: string, content: string) => {
  writeFileSync(at(name), content)
  return at(name)
}

export const record = write('record.json', JSON.stringify(baseline()))
const requests = write(
  'requests.csv',
  'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status\nr-1,interactive,100,10,1370,128,ok\n',
)
const pack = at('pack')
mkdirSync(pack)
write('pack/capacity.json', JSON.stringify(baseline()))
const verdict = gate({ candidate: baseline(), baseline: null, anchor: null, onMissingBaseline: 'record' })
write('pack/verdict.json', JSON.stringify(verdict))

const deployable = join(root, 'fixtures/packs/h100-vllm/workload-manifest.yaml')
const embedded = join(root, 'fixtures/packs/embedded/workload-manifest.yaml')
const imports = join(root, 'fixtures/imports')
const [out, dir] = [at('out'), at('dir')]
const endpoint = ['--endpoint', 'http://127.0.0.1:9', '--rate', '1', '--cache', 'cold']
const analyzed = ['--duration-seconds', '1', '--queue-trend', 'flat']
const asked = ['--peak-rps', '36', '--utilization', '0.75']
const signed = ['--subject', 'd'.repeat(64), '--out', dir]
const analyze = (over: Record<string, string>) =>
  ['analyze', ...analyzed].concat(
    Object.entries({ manifest: workedExample, requests, ...over }).flatMap(([name, value]) => [`--${name}`, value]),
  )

export type CommandCase = readonly [name: string, args: (path: string) => string[]]

/** Every file or folder that a command reads, as the user names it; everything else about the command is as it should be. */
export const READ: readonly CommandCase[] = [
  ['run MANIFEST', (path) => ['run', path, '--pack', dir]],
  ['run --subject', (path) => ['run', deployable, '--pack', dir, '--subject', path]],
  ['run --accepted', (path) => ['run', deployable, '--pack', dir, '--accepted', path]],
  ['lint MANIFEST', (path) => ['lint', path]],
  ['lint --accepted', (path) => ['lint', deployable, '--accepted', path]],
  ['estimate MANIFEST', (path) => ['estimate', path]],
  ['estimate --subject', (path) => ['estimate', deployable, '--subject', path]],
  ['estimate --baseline', (path) => ['estimate', deployable, '--baseline', `file:${path}`]],
  ['schedule MANIFEST', (path) => ['schedule', path, '--cache', 'cold', '--out', out]],
  ['profile TRACE', (path) => ['profile', path]],
  ['replay MANIFEST', (path) => ['replay', path, ...endpoint, '--pack', dir]],
  ['analyze --manifest', (manifest) => analyze({ manifest })],
  ['analyze --requests', (path) => analyze({ requests: path })],
  ['analyze --schedule', (schedule) => analyze({ schedule })],
  ['gate --candidate', (path) => ['gate', '--candidate', path, '--baseline', record]],
  ['gate --baseline', (path) => ['gate', '--candidate', record, '--baseline', path]],
  ['gate --anchor', (path) => ['gate', '--candidate', record, '--baseline', record, '--anchor', path]],
  ['gate --accepted', (path) => ['gate', '--candidate', record, '--baseline', record, '--accepted', path]],
  ['report PACK', (path) => ['report', path]],
  ['explain PACK', (path) => ['explain', path]],
  ['explain --baseline', (path) => ['explain', pack, '--baseline', path]],
  ['verify PACK', (path) => ['verify', path]],
  ['verify --sources', (path) => ['verify', pack, '--sources', path]],
  ['calibrate MANIFEST', (path) => ['calibrate', path]],
  ['doctor MANIFEST', (path) => ['doctor', path]],
  ['import FILE', (path) => ['import', path, '--from', 'vllm', '--manifest', workedExample, '--out', out]],
  ['import --manifest', (path) => ['import', record, '--from', 'vllm', '--manifest', path, '--out', out]],
  ['promote --candidate', (path) => ['promote', '--candidate', path, '--to', `dir:${dir}`, '--yes']],
  ['sign-off PACKS', (path) => ['sign-off', path, ...signed]],
  ['sign-off --policy', (path) => ['sign-off', pack, ...signed, '--policy', path]],
  ['sign-off --evidence', (path) => ['sign-off', pack, ...signed, '--evidence', `drill=${path}`]],
  ['sign-off --check', (path) => ['sign-off', '--check', path, '--subject', 'd'.repeat(64)]],
  ['history add RUN', (path) => ['history', 'add', path, '--to', `dir:${dir}`]],
  ['history compact', (path) => ['history', 'compact', `dir:${path}`, '--older-than', '9']],
  ['history page', (path) => ['history', 'page', `dir:${path}`, '--out', out]],
  ['history drift', (path) => ['history', 'drift', `dir:${path}`]],
  ['plan --from', (path) => ['plan', '--from', path, ...asked]],
  ['plan --from a baseline', (path) => ['plan', '--from', `dir:${path}`, '--gate', 'x', ...asked]],
]

const bench = ['--from', 'vllm', '--manifest', join(imports, 'workload-manifest.yaml'), '--class-by', 'lengths']
const imported = ['import', join(imports, 'vllm.json'), ...bench]
const small = ['schedule', workedExample, '--cache', 'cold', '--requests', '10']
const lines = at('history')

/** Every file that a command writes. */
export const WRITE_FILE: readonly CommandCase[] = [
  ['schedule --out', (path) => [...small, '--out', path]],
  ['import --out', (path) => [...imported, '--out', path]],
  ['import --capacity', (path) => [...imported, '--out', out, '--cache', 'cold', '--rate', '24', '--capacity', path]],
  ['history page --out', (path) => ['history', 'page', `dir:${lines}`, '--out', path]],
]

/** Every folder that a command makes. */
export const WRITE_FOLDER: readonly CommandCase[] = [
  ['run --pack', (path) => ['run', embedded, '--pack', path]],
  ['replay --pack', (path) => ['replay', deployable, ...endpoint, '--pack', path]],
  ['promote --to', (path) => ['promote', '--candidate', record, '--to', `dir:${path}`, '--yes']],
  ['history add --to', (path) => ['history', 'add', record, '--to', `dir:${path}`]],
  ['sign-off --out', (path) => ['sign-off', pack, '--subject', 'd'.repeat(64), '--out', path]],
]

/** What the cases that write need to be there. */
export const BEGUN = ['history', 'add', record, '--to', `dir:${lines}`]
