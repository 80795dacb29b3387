import { dirname, join } from 'node:path'
import { Option } from 'commander'
import { writeOutput } from '../../adapters/system/files.ts'
import { gzipSame } from '../../adapters/system/deterministic-gzip.ts'
import { readSources } from '../../app/read-sources.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { showNumber } from '../../core/manifest/finding.ts'
import { buildSchedule } from '../../core/schedule/build-schedule.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import type { AddCommand } from '../command.ts'
import { example, wholeNumber } from '../command.ts'
import { manifestSources } from '../compose.ts'
import { readManifestFile } from '../read-inputs.ts'
import { refuseReplacing } from '../refuse-replacing.ts'

interface Options {
  cache: Cache
  requests?: number
  out: string
}

export const addSchedule: AddCommand = (program, desk) => {
  program
    .command('schedule')
    .description('Freeze the schedule of one cache state into a file, and print its digest.')
    .argument('<manifest>', 'the workload-manifest.yaml')
    .addOption(new Option('--cache <state>', 'the cache state').choices(['cold', 'warm']).makeOptionMandatory())
    .option('--requests <n>', 'that many requests instead of the manifest’s', wholeNumber)
    .requiredOption('--out <file>', 'where it goes: JSON Lines; compressed where the name ends in .gz')
    .addHelpText('after', example('capacity-gate schedule workload-manifest.yaml --cache cold --out cold.jsonl.gz'))
    .action(async (path: string, { cache, requests, out }: Options) => {
      const { manifest } = await readManifestFile(path, 'valid')
      const { trace, dataset } = manifest.client
      await refuseReplacing({ name: '--out', path: out }, [
        { name: 'the manifest', path },
        ...(trace ? [{ name: 'the trace', path: join(dirname(path), trace.file) }] : []),
        ...(dataset ? [{ name: 'the dataset', path: join(dirname(path), dataset.file) }] : []),
      ])
      const read = await readSources(manifestSources(desk.inputs, path), manifest, requests)
      const asked = requests === undefined ? {} : { requests }
      const { schedule, bytes } = buildSchedule(manifest, cache, { ...read, ...asked })
      await writeOutput(out, out.endsWith('.gz') ? await gzipSame(bytes) : bytes)
      desk.finish({ exitCode: EXIT.ok, text: scheduleText(schedule, out), json: facts(schedule, out) })
    })
}

function scheduleText({ header, rows, sha256 }: Schedule, out: string): string {
  const { cache, initialRequests, extensionRequests } = header
  const parts = `${showNumber(initialRequests)} requests and ${showNumber(extensionRequests)} in extension blocks`
  return `sha256:${sha256}\n${out}: the ${cache} schedule, ${showNumber(rows.length)} rows (${parts}); the digest is of the uncompressed bytes`
}

function facts({ header, rows, sha256 }: Schedule, out: string): unknown {
  const { cache, generator, pattern, dataset, seed, initialRequests, extensionRequests, blockRequests } = header
  return {
    file: out,
    sha256,
    cache,
    generator,
    ...(pattern ? { pattern } : {}),
    ...(dataset ? { dataset } : {}),
    seed,
    rows: rows.length,
    initialRequests,
    extensionRequests,
    blockRequests,
  }
}
