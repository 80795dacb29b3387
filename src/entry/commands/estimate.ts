import { Option } from 'commander'
import { openStore } from '../../adapters/store/open-store.ts'
import { estimateRun } from '../../app/estimate.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { gateId } from '../../core/manifest/identity.ts'
import { plainText } from '../../core/report/escape.ts'
import { estimateText } from '../../core/report/estimate.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example } from '../command.ts'
import { readManifestFile } from '../read-inputs.ts'
import { clonedRepository } from '../repository-access.ts'
import { baselineOption, cacheOption, priceOption, subjectOption } from './run-options.ts'

interface Options {
  plan?: 'confirm' | 'sweep'
  cache: Cache[]
  baseline?: string
  subject?: string
  pricePerGpuHour?: number
}

export const addEstimate: AddCommand = (program, desk) => {
  program
    .command('estimate')
    .description('Points, time, GPU-minutes and cost of what a manifest asks, before a machine is claimed for it.')
    .argument('<manifest>', 'the workload-manifest.yaml')
    .addOption(new Option('--plan <plan>', 'only this plan').choices(['confirm', 'sweep']))
    .addOption(baselineOption())
    .addOption(cacheOption())
    .addOption(subjectOption())
    .addOption(priceOption())
    .addHelpText('after', example('capacity-gate estimate workload-manifest.yaml --price-per-gpu-hour 2.5'))
    .action((path: string, options: Options) => estimateCommand(desk, path, options))
}

async function estimateCommand({ inputs, note, finish }: Desk, path: string, options: Options): Promise<void> {
  const { manifest } = await readManifestFile(path, 'deployable', options.subject)
  const store = options.baseline === undefined ? null : await openStore(options.baseline, clonedRepository(inputs))
  const estimate = await estimateRun(store, {
    manifest,
    caches: options.cache,
    plans: options.plan === undefined ? ['confirm', 'sweep'] : [options.plan],
    pricePerGpuHour: options.pricePerGpuHour ?? null,
  })
  if (store !== null && !estimate.hasBaseline) {
    note(
      `note: ${plainText(store.location, 500)} holds no accepted baseline of the gate ${plainText(gateId(manifest))}`,
    )
  }
  finish({ exitCode: EXIT.ok, text: estimateText(estimate), json: estimate })
}
