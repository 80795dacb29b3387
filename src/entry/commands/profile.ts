import { basename, isAbsolute } from 'node:path'
import { Option } from 'commander'
import { openTrace } from '../../adapters/system/trace-input.ts'
import { profileTrace } from '../../app/profile.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { showNumber } from '../../core/manifest/finding.ts'
import { plainText } from '../../core/report/escape.ts'
import { DEFAULT_TOKEN_RANGE } from '../../core/schedule/prompt.ts'
import {
  drawnFragment,
  fragmentYaml,
  type ManifestFragment,
  replayedFragment,
} from '../../core/schedule/trace/profile/manifest-fragment.ts'
import { profileText } from '../../core/schedule/trace/profile/profile-text.ts'
import type { TraceProfile } from '../../core/schedule/trace/profile/trace-profile.ts'
import { TRACE_FORMATS, type TraceFormat } from '../../core/schedule/trace/trace-row.ts'
import { uniqueTokens } from '../../core/schedule/unique-tokens.ts'
import type { AddCommand } from '../command.ts'
import { example, wholeNumber } from '../command.ts'

const USUAL_FLOOR = 2000

interface Options {
  format?: TraceFormat
  classes: number
}

export const addProfile: AddCommand = (program, desk) => {
  program
    .command('profile')
    .description(
      'Say what a trace of requests is like: lengths, arrivals, reuse, sessions, and the classes it suggests.',
    )
    .argument('<trace>', 'the trace, compressed by gzip or not')
    .addOption(new Option('--format <format>', 'its format, where the first line does not tell').choices(TRACE_FORMATS))
    .option('--classes <n>', 'the most classes to suggest', wholeNumber, 3)
    .addHelpText('after', example('capacity-gate profile conversation_trace.jsonl --classes 4'))
    .action(async (file: string, { format, classes }: Options) => {
      const input = openTrace(file)
      const profile = await profileTrace({ file, format: format ?? null }, input.chunks, classes)
      const sha256 = input.sha256()
      const manifests = {
        drawn: drawnFragment(profile),
        replayed: replayedFragment(profile, { file: fileForManifest(file), sha256 }),
      }
      desk.finish({
        exitCode: EXIT.ok,
        text: commandText(file, sha256, profile, manifests),
        isDocument: true,
        json: { file, sha256, ...profile, manifests },
      })
    })
}

/** A manifest's files lie beside it or below the working folder: of any other path only the name can be of use. */
function fileForManifest(path: string): string {
  return isAbsolute(path) || path.split(/[\\/]/).includes('..') ? basename(path) : path
}

interface Manifests {
  drawn: ManifestFragment | null
  replayed: ManifestFragment | null
}

function commandText(file: string, sha256: string, profile: TraceProfile, { drawn, replayed }: Manifests): string {
  const { format, requests, failedRequests } = profile
  const left = failedRequests === 0 ? '' : `, ${showNumber(failedRequests)} failed ones left out`
  return [
    `${plainText(file)}: ${format}, ${showNumber(requests)} requests${left}`,
    `sha256:${sha256}`,
    profileText(profile),
    '',
    '# For a manifest, drawn from a seed: the classes at their mean lengths, gaps',
    '# that vary as the trace’s',
    drawn === null ? '# (a class is too small for a floor of successes)' : fragmentYaml(drawn),
    '',
    `# For a manifest, the trace’s first ${showNumber(profile.firstRequests.requests)} requests themselves: times scaled,`,
    '# lengths kept',
    ...(replayed === null
      ? ['# (they all came at the same time: there is no rate to scale)']
      : [...fewRequests(replayed), ...shortPrompts(profile), fragmentYaml(replayed)]),
  ].join('\n')
}

/** A floor of 2,000 successes is usual; lint refuses one that a class cannot reach. */
function fewRequests({ client }: ManifestFragment): string[] {
  const fewest = Math.min(...Object.values(client.class_schedule_counts))
  if (fewest >= USUAL_FLOOR) return []
  return [
    `# (its smallest class has ${showNumber(fewest)} requests: a floor of successes above that cannot be`,
    '# reached; take more of the trace, or lower min_successful_samples_per_class)',
  ]
}

/** A prompt that is told from all others needs that many tokens; a schedule with a shorter one is refused. */
function shortPrompts({ firstRequests: { leastInputTokens } }: TraceProfile): string[] {
  const needed = uniqueTokens(DEFAULT_TOKEN_RANGE)
  if (leastInputTokens >= needed) return []
  return [
    `# (its shortest prompt has ${showNumber(leastInputTokens)} tokens, and none can have fewer than ${needed}: take such`,
    '# rows out of the trace)',
  ]
}
