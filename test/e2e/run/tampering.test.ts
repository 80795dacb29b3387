import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { discrepanciesOf, gateFolder } from './gate-run.ts'
import { FAR, quickManifest } from './quick-manifest.ts'

const gate = gateFolder()
const { folder } = gate

let pack: string
let outcomes: string[]
beforeAll(async () => {
  const { path } = await quickManifest(folder, FAR)
  const run = await gate.run('whole', path, '--plan', 'sweep', '--cache', 'cold')
  pack = run.pack
  outcomes = run.points().map(({ outcome }) => outcome)
})

const POINT = 'points/cold-open-12000-r1'

/** Replaces the first match in a file of a pack, compressed or not. Throws where there is none. */
function edit(copy: string, path: string, pattern: RegExp, replacement: string): void {
  const file = join(copy, path)
  const isCompressed = path.endsWith('.gz')
  const text = (isCompressed ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString('utf8')
  if (!pattern.test(text)) throw new Error(`${path} holds nothing like ${pattern}`)
  const edited = text.replace(pattern, replacement)
  writeFileSync(file, isCompressed ? gzipSync(edited) : edited)
}

/** Makes the checksums good again, as whoever tampers with a pack would. */
function sealAgain(copy: string): void {
  const lines = readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file.slice(copy.length + 1)}\n`)
  writeFileSync(join(copy, 'SHA256SUMS'), lines.join(''))
}

function copyOfPack(): string {
  const copy = join(mkdtempSync(join(folder, 'copy-')), 'pack')
  cpSync(pack, copy, { recursive: true })
  return copy
}

const TAMPERINGS: Record<string, { path: string; tamper: (copy: string, path: string) => void }> = {
  'a latency in requests.csv': {
    path: POINT,
    tamper: (copy) => edit(copy, `${POINT}/requests.csv`, /^(r-\d+,\w+,)(\d+)/m, '$11$2'),
  },
  'a count of cached tokens in requests.csv': {
    path: `${POINT}/point.json`,
    tamper: (copy) => edit(copy, `${POINT}/requests.csv`, /^(r-00005,.*?,ok,.*?),0,/m, '$1,16,'),
  },
  'a row of requests.csv deleted': {
    path: `${POINT}/point.json`,
    tamper: (copy) => edit(copy, `${POINT}/requests.csv`, /^r-00007,.*\n/m, ''),
  },
  'the requests.csv at the root': {
    path: 'requests.csv',
    tamper: (copy, path) => edit(copy, path, /^r-00007,.*\n/m, ''),
  },
  'an outcome in point.json': {
    path: 'points/cold-open-60000-r1/point.json',
    tamper: (copy, path) => edit(copy, path, /"outcome": "fail"/, '"outcome": "pass"'),
  },
  'an attainment in slo-report.json': {
    path: `${POINT}/slo-report.json`,
    tamper: (copy, path) => edit(copy, path, /"attainment": [\d.]+/, '"attainment": 0.97'),
  },
  'the pass rate in capacity.json': {
    path: 'capacity.json',
    tamper: (copy, path) => edit(copy, path, /"passMilliRps": 12000/, '"passMilliRps": 60000'),
  },
  'the outcome in verdict.json': {
    path: 'verdict.json',
    tamper: (copy, path) => edit(copy, path, /"outcome": "inconclusive"/, '"outcome": "held"'),
  },
  'a byte of the schedule': {
    path: 'schedules/cold.jsonl.gz',
    tamper: (copy, path) => edit(copy, path, /"offsetUs":1/, '"offsetUs":2'),
  },
  'a line of telemetry deleted': {
    path: `${POINT}/point.json`,
    tamper: (copy) => edit(copy, `${POINT}/telemetry.jsonl.gz`, /^\{"t":"evidence".*\n/m, ''),
  },
  'a number in telemetry': {
    path: `${POINT}/point.json`,
    tamper: (copy) => edit(copy, `${POINT}/telemetry.jsonl.gz`, /"cohortUs":\d/, '"cohortUs":9'),
  },
  'a gap in gaps.json': {
    path: POINT,
    tamper: (copy) => edit(copy, `${POINT}/gaps.json`, /"maxUs":/, '"maxUs":9'),
  },
  'a number in report.md': {
    path: 'report.md',
    tamper: (copy, path) => edit(copy, path, /12\.0/, '31.0'),
  },
  'a cutoff in the manifest': {
    path: `${POINT}/point.json`,
    tamper: (copy) =>
      edit(copy, 'workload-manifest.yaml', /request_ttft_cutoff_ms: 1000/, 'request_ttft_cutoff_ms: 30'),
  },
  'a judged point that the run is made to forget': {
    path: POINT,
    tamper: (copy) => edit(copy, 'run.json', /"cold-open-12000-r1",/, ''),
  },
}

describe('verify finds', () => {
  it('nothing in the pack as it was written', async () => {
    expect(outcomes).toEqual(['pass', 'fail'])
    expect(await discrepanciesOf(pack)).toEqual([])
    const copy = copyOfPack()
    sealAgain(copy)
    expect(await discrepanciesOf(copy)).toEqual([])
  })

  it.each(Object.entries(TAMPERINGS))('%s, with the checksums made good', async (_, { path, tamper }) => {
    const copy = copyOfPack()
    tamper(copy, path)
    sealAgain(copy)
    expect((await discrepanciesOf(copy)).map((found) => found.path)).toContain(path)
  })

  it('what only the checksums know: a file changed, added, removed, a checksum lost', async () => {
    const copy = copyOfPack()
    edit(copy, 'engine.log', /listening/, 'Listening')
    writeFileSync(join(copy, POINT, 'notes.txt'), 'new\n')
    rmSync(join(copy, 'failure-test.md'))
    edit(copy, 'SHA256SUMS', /^.* {2}run\.json\n/m, '')
    const found = (await discrepanciesOf(copy)).map(({ code, path }) => `${code} ${path}`)
    expect(found).toEqual(expect.arrayContaining(['checksum engine.log', `unlisted ${POINT}/notes.txt`]))
    expect(found).toEqual(expect.arrayContaining(['missing failure-test.md', 'unlisted run.json']))
  })

  it('each thing on a line of its own at the command line, with exit code 4', async () => {
    const copy = copyOfPack()
    edit(copy, 'capacity.json', /"passMilliRps": 12000/, '"passMilliRps": 60000')
    const ended = await gate.command('verify', copy)
    expect([ended.code, ended.stderr]).toEqual([4, ''])
    expect(ended.stdout).toMatch(/^capacity\.json: is not the file whose checksum was written \[checksum\]$/m)
    const whole = await gate.command('verify', pack)
    expect([whole.code, whole.stderr]).toEqual([0, ''])
    expect(whole.stdout).toContain('2 points judged again: every number follows from the raw files')
  })
})
