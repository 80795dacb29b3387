import { execFileSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { judgeAgain, sealAgain } from '../../../fakes/fork-pack.ts'
import { LURES } from './hostile-text.ts'

/** What a forger does to an honest pack, and the code that it is refused with; null: a comment that is our own words all the same. */
export interface HostileArtifact {
  name: string
  tamper(folder: string): void | Promise<void>
  refusedWith: string | null
}

type Json = Record<string, { recorded?: object }>

const POINT = 'points/cold-open-50400-r1'

function edit(folder: string, path: string, pattern: RegExp | string, replacement: string): void {
  const text = readFileSync(join(folder, path), 'utf8')
  const edited = text.replace(pattern, () => replacement)
  if (edited === text) throw new Error(`${path} holds nothing like ${pattern}`)
  writeFileSync(join(folder, path), edited)
}

/** Edits, and makes the checksums good. */
const sealed =
  (...edits: [path: string, pattern: RegExp | string, replacement: string][]) =>
  (folder: string): void => {
    for (const one of edits) edit(folder, ...one)
    sealAgain(folder)
  }

/** A file of any size that takes no room. */
function sparse(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, bytes)
  closeSync(file)
}

const GIB = 1024 ** 3

/** Files that no run leaves. */
const FILES: HostileArtifact[] = [
  {
    name: 'a link to a file of the machine, in place of the record',
    tamper(folder) {
      rmSync(join(folder, 'capacity.json'))
      symlinkSync('/etc/hostname', join(folder, 'capacity.json'))
    },
    refusedWith: 'pack_refused',
  },
  {
    name: 'a folder that is a link out of the pack',
    tamper: (folder) => symlinkSync('/etc', join(folder, 'points/cold-open-1-r1')),
    refusedWith: 'pack_refused',
  },
  {
    name: 'a pack that is itself a link',
    tamper(folder) {
      rmSync(folder, { recursive: true })
      symlinkSync('/etc', folder)
    },
    refusedWith: 'pack_refused',
  },
  {
    name: 'a named pipe, which a reader would wait on for ever',
    tamper(folder) {
      rmSync(join(folder, 'verdict.json'))
      execFileSync('mkfifo', [join(folder, 'verdict.json')])
    },
    refusedWith: 'pack_refused',
  },
  {
    name: 'folders a hundred deep',
    tamper: (folder) => void mkdirSync(join(folder, 'd/'.repeat(100)), { recursive: true }),
    refusedWith: 'pack_refused',
  },
  {
    name: 'a file of a terabyte',
    tamper: (folder) => sparse(join(folder, 'engine.log'), 1024 * GIB),
    refusedWith: 'pack_refused',
  },
  {
    name: 'a record of a gibibyte',
    tamper: (folder) => sparse(join(folder, 'capacity.json'), GIB),
    refusedWith: 'pack_refused',
  },
  {
    name: 'a small file that expands to a gibibyte',
    tamper(folder) {
      // Gzip members follow one another: 64 times sixteen mebibytes of nothing.
      const member = gzipSync(Buffer.alloc(16 * 1024 ** 2))
      writeFileSync(join(folder, `${POINT}/telemetry.jsonl.gz`), Buffer.concat(Array(64).fill(member)))
      sealAgain(folder)
    },
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'checksums of files elsewhere',
    tamper(folder) {
      const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
      writeFileSync(join(folder, 'SHA256SUMS'), `${sums}${'0'.repeat(64)}  ../../../../etc/passwd\n`)
    },
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'a file that claims a number, a head and a token of its own',
    tamper(folder) {
      writeFileSync(join(folder, 'pr-number.txt'), '1\n')
      writeFileSync(join(folder, 'event.json'), '{"pull_request":{"number":1}}')
    },
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'nothing at all',
    tamper(folder) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
    },
    refusedWith: 'pack_incomplete',
  },
]

/** Numbers and conclusions that do not follow. */
const NUMBERS: HostileArtifact[] = [
  {
    name: 'another outcome in the verdict',
    tamper: sealed(['verdict.json', '"outcome": "held"', '"outcome": "improved"']),
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'a higher capacity in the record',
    tamper: sealed(['capacity.json', '"passMilliRps": 50400', '"passMilliRps": 90000']),
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'quicker requests in the rows',
    tamper: sealed([`${POINT}/requests.csv`, /^(r-00007,\w+,)\d+/m, 'r-00007,interactive,1']),
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'the record of another gate, whose comment stands on the same pull request',
    tamper: sealed(['capacity.json', '"gateId": "embedded"', '"gateId": "payments"']),
    refusedWith: 'gate_differs',
  },
  {
    name: 'a looser experiment, with its hash',
    tamper: sealed(['workload-manifest.yaml', /error_rate_max: [\d.]+/, 'error_rate_max: 0.9']),
    refusedWith: 'experiment_differs',
  },
  {
    name: 'a schedule of a billion requests to be built again',
    tamper: sealed([
      'workload-manifest.yaml',
      /initial_scheduled_requests: \d+/,
      'initial_scheduled_requests: 1000000000',
    ]),
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'NaN for a number',
    tamper: sealed(['capacity.json', /"gpuMinutes": [\d.]+/, '"gpuMinutes": NaN']),
    refusedWith: 'record_not_json',
  },
  {
    name: 'a number beyond all numbers',
    tamper: sealed(['capacity.json', /"gpuMinutes": [\d.]+/, '"gpuMinutes": 1e999']),
    refusedWith: 'record_invalid',
  },
  {
    name: 'a key twice, the second time otherwise',
    tamper: sealed(['capacity.json', '"layer": "service"', '"kind": "measured",\n  "layer": "service"']),
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'a hundred thousand brackets',
    tamper: sealed(['capacity.json', '"value": {', `"value": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "was": {`]),
    refusedWith: 'record_too_deep',
  },
  {
    name: 'half a character',
    tamper: sealed(['capacity.json', '"layer": "service"', '"layer": "service",\n  "note": "\\ud800"']),
    refusedWith: 'record_not_unicode',
  },
  {
    name: 'bytes that are no text',
    tamper(folder) {
      writeFileSync(join(folder, 'capacity.json'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
      sealAgain(folder)
    },
    refusedWith: 'pack_damaged',
  },
  {
    name: 'a manifest of aliases that name one another',
    tamper(folder) {
      const rungs = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}, *a${n}]`)
      writeFileSync(join(folder, 'workload-manifest.yaml'), ['a0: &a0 [x]', ...rungs].join('\n'))
      sealAgain(folder)
    },
    refusedWith: 'pack_inconsistent',
  },
]

/** Texts in a pack that is consistent: what is recorded of the machine cannot be computed again. */
const TEXTS: HostileArtifact[] = [
  {
    name: 'texts that mean something to GitHub, to a terminal or to the runner, as facts of the machine',
    tamper: (folder) => recordFacts(folder, Object.fromEntries(LURES.map((lure, n) => [`fact${n}`, lure]))),
    refusedWith: null,
  },
  {
    name: 'the same as the facts’ names',
    tamper: (folder) => recordFacts(folder, Object.fromEntries(LURES.map((lure) => [lure.slice(0, 900), 'x']))),
    refusedWith: null,
  },
  {
    name: 'names that every object answers to',
    tamper: (folder) => recordFacts(folder, { constructor: 'polluted', toString: 'polluted', valueOf: 'polluted' }),
    refusedWith: null,
  },
  {
    name: 'the name of what every object is made of',
    tamper: (folder) => recordFacts(folder, JSON.parse('{"__proto__":"polluted"}')),
    refusedWith: 'pack_inconsistent',
  },
  {
    name: 'a run, a commit, a repository and a comment key of its own choice',
    tamper: (folder) =>
      judgeAgain(folder, {
        runUrl: 'https://evil.example/acme/engine/actions/runs/1',
        headSha: 'e'.repeat(40),
        repository: 'mallory/engine',
        commentKey: 'payments',
        baselineRef: 'dir:evil',
        packPath: 'evil',
        toolVersion: '@acme/security',
      }),
    refusedWith: null,
  },
]

async function recordFacts(folder: string, facts: Record<string, string>): Promise<void> {
  const [record, session] = [join(folder, 'capacity.json'), join(folder, 'run.json')]
  const change = (path: string, to: (value: Json) => Json): void =>
    writeFileSync(path, `${JSON.stringify(to(JSON.parse(readFileSync(path, 'utf8'))), null, 2)}\n`)
  // Beside the host's own name: another machine would be another matter.
  const added = (recorded: object = {}) => Object.assign(Object.create(null), recorded, facts) as object
  change(record, (value) => ({
    ...value,
    hardware: { ...value['hardware'], recorded: added(value['hardware']?.recorded) },
  }))
  change(session, (value) => ({ ...value, recorded: added(value['recorded']) }))
  await judgeAgain(folder)
}

export const HOSTILE_ARTIFACTS: readonly HostileArtifact[] = [...FILES, ...NUMBERS, ...TEXTS]
