import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { profileTrace } from '../../../src/app/profile.ts'
import { readSources } from '../../../src/app/read-sources.ts'
import { sha256Hex } from '../../../src/core/kernel/hash.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { replayedFragment } from '../../../src/core/schedule/trace/profile/manifest-fragment.ts'
import { fakeSources } from '../../fakes/sources.ts'
import { workedExample } from '../schedule/worked-example.ts'

const FILES = ['azure-2023.csv', 'azure-2024.csv', 'burstgpt-1.csv', 'burstgpt-3.csv', 'mooncake.jsonl', 'own.jsonl']

test.each(FILES)('%s is replayed by the sections that its profile suggests, as they stand', async (file) => {
  const bytes = readFileSync(new URL(`../../../fixtures/traces/${file}`, import.meta.url))
  const sources = fakeSources({ [file]: bytes }, 4096)
  const profile = await profileTrace({ file, format: null }, sources.open({ what: 'the trace', path: file }).chunks, 3)
  const fragment = replayedFragment(profile, { file, sha256: sha256Hex(bytes) })
  if (fragment === null) throw new Error('these traces have a span')
  const { client, workload } = fragment
  const manifest = workedExample({
    client: { ...client, extension_requests: 0 },
    workload: workload.map((shape) => ({ ...shape })),
  })
  const read = await readSources(sources, manifest)
  const { schedule } = buildSchedule(manifest, 'cold', read)
  const lengths = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) => [
    inputTokens,
    outputTokens,
  ]
  expect(schedule.rows.map(lengths)).toEqual(read.trace?.map(lengths))
  expect(schedule.rows).toHaveLength(client.initial_scheduled_requests)
})
