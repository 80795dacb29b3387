/** Documented commands that these tests do not run: why, and what runs them, or sees that they are right, instead. */
export interface NotRun {
  commands: readonly string[]
  because: string
  /** A file that holds `says`, word for word. */
  coveredBy: { file: string; says: string }
}

const step = (script: string) => ({ file: '.ci/run', says: `npm run --silent ${script}` })

/** Scripts that are steps of CI by themselves, some of them minutes long. */
const STEPS: readonly NotRun[] = (
  [
    ['demo', 'demo'],
    ['typecheck', 'typecheck'],
    ['lint', 'lint'],
    ['licenses', 'licenses'],
    ['check:dist', 'check:dist'],
    ['audit:workflows', 'audit:workflows'],
    ['generate -- --check', 'generate -- --check'],
    ['test:pages', 'test:pages'],
    ['test:system', 'test:system'],
    ['test:package', 'test:package'],
    ['test:workflows', 'test:workflows'],
    ['test:engines -- gate', 'test:engines -- gate'],
    ['test:engines', 'test:engines -- gate'],
    // They write into the checkout what the step compares.
    ['format', 'format:check'],
    ['generate', 'generate -- --check'],
    ['build', 'check:dist'],
  ] as const
).map(([script, inCi]) => ({
  commands: [`npm run ${script}`],
  because: 'a step of CI by itself',
  coveredBy: step(inCi),
}))

const BENCHMARKS: readonly NotRun[] = [
  'schedule',
  'analyzer',
  'auto-rates',
  'boot-spread --sweeps 100',
  'decisions',
  'drift',
  'queue-trend 400',
  'instrument --write',
  'client-error',
  'send-lag',
  'client-cpu',
  'paced',
  'flood',
  'streams',
  'soak',
  'stall',
  'peers',
  'peers --path FOLDER',
  'history-writers',
  'racing-drifts',
  'racing-posters',
  'report-page',
].map((words) => ({
  commands: [`npm run bench -- ${words}`],
  because: 'minutes of measuring, on which nothing is asserted: that there is one of the name is what counts',
  coveredBy: { file: 'bench/main.ts', says: `'${words.split(' ')[0]}'` },
}))

export const NOT_RUN: readonly NotRun[] = [
  ...STEPS,
  ...BENCHMARKS,
  {
    commands: [
      'npm test',
      'npm test -- test/unit/gate',
      "npm test -- test/unit/gate -t 'held'",
      'npm test -- test/unit/manifest',
      'UPDATE_GOLDEN=1 npm test -- test/unit/report',
    ],
    because: 'they run these very tests',
    coveredBy: { file: '.ci/run', says: 'npm test --silent' },
  },
  {
    commands: ['.ci/run'],
    because: 'it runs these very tests',
    coveredBy: { file: '.github/workflows/ci.yml', says: '.ci/run' },
  },
  {
    commands: ['npm run bench'],
    because: 'many minutes of measuring, on which nothing is asserted',
    coveredBy: { file: 'package.json', says: '"bench": "node scripts/bootstrap.mjs bench/main.ts"' },
  },
  {
    commands: ['npm run release -- --into FOLDER', 'npm run release -- --into /tmp/release --tag v1.2.3'],
    because: 'the tests of the package make the same',
    coveredBy: { file: 'test/e2e/package/package.test.ts', says: "'scripts/release.ts', '--into'" },
  },
  {
    commands: ['node bench/decisions/calibrate.ts'],
    because: 'hours of simulation',
    coveredBy: { file: 'knip.json', says: 'bench/decisions/{worker,calibrate}.ts' },
  },
  {
    commands: ['node test/fuzz/every-split.ts'],
    because: 'minutes; splits of each stream are among the tests',
    coveredBy: { file: 'test/unit/stream/recorded.test.ts', says: "from './split-check.ts'" },
  },
  {
    commands: ['node test/fuzz/stream-fuzz.ts 60'],
    because: 'a minute; a shorter one is among the tests',
    coveredBy: { file: 'test/unit/stream/fuzz.test.ts', says: "'../../fuzz/stream-fuzz.ts'" },
  },
  {
    commands: ['node test/fuzz/wire-fuzz.ts 60'],
    because: 'a minute of sockets; a shorter one is among the tests',
    coveredBy: { file: 'test/unit/adapters/replay/wire-fuzz.test.ts', says: "'../../../fuzz/wire-fuzz.ts'" },
  },
  {
    commands: ['capacity-gate init'],
    because: 'it asks at a terminal',
    coveredBy: { file: 'test/e2e/cli/init.test.ts', says: 'asks at a real terminal' },
  },
  {
    commands: ['capacity-gate calibrate --rate 200'],
    because: 'how it ends is the machine’s: whether this one is fit for 200 requests a second',
    coveredBy: { file: 'test/e2e/cli/calibrate.test.ts', says: "'calibrate'" },
  },
]

const NAMES: ReadonlySet<string> = new Set(NOT_RUN.flatMap(({ commands }) => commands))

export function isNotRun(text: string): boolean {
  return NAMES.has(text)
}
