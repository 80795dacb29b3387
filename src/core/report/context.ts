import type { CapacityRecord } from '../capacity/record.ts'
import type { Outcome, Verdict } from '../gate/verdict.ts'
import { commandWord, pathWord } from './command-word.ts'

/** Where a report is shown. Everything but the version may be missing, and is taken as hostile. */
export interface ReportContext {
  headSha?: string
  baseSha?: string
  runUrl?: string
  /** owner/name */
  repository?: string
  /** As the user named it; for the commands shown. */
  packPath?: string
  /** Given where the subject was overridden: what was measured is the pack's manifest with its subject.yaml. */
  hasSubjectFile?: true
  /** Where accepted records are kept, as the user named it; for the commands shown. */
  baselineRef?: string
  toolVersion: string
  /** Keeps the comments of several gates on one pull request apart. */
  commentKey?: string
  /** The trend that the run belongs to in a history, where that is not named by the gate's id. */
  series?: string
  /** Given where the pack came from another job: the verdict was computed again, and what that proves is said. */
  recheck?: Recheck
}

/** What is known of a pack that another job measured. */
interface Recheck {
  /** The author of a fork chose what ran. */
  isFork: boolean
  /** What that job itself concluded; null where it left no verdict that can be read. */
  packOutcome: Outcome | null
  /** Schedules that were taken as they stand, since the file that they are made of is not at hand. */
  unbuiltSchedules: number
}

/** All that a report is made of. */
export interface ReportInput {
  verdict: Verdict
  record: CapacityRecord
  baseline: CapacityRecord | null
  anchor: CapacityRecord | null
  context: ReportContext
}

/** An address that can stand in a Markdown link as it is; null for any other. */
export function safeUrl(url: string | undefined): string | null {
  return url !== undefined && /^https?:\/\/[\w.-]{1,253}(:\d{1,5})?(\/[\w.~/-]{0,500})?$/.test(url) ? url : null
}

/** The first ten digits of a commit's name; null for anything else. */
export function shortSha(sha: string | null | undefined): string | null {
  return typeof sha === 'string' && /^[0-9a-f]{10,64}$/.test(sha) ? sha.slice(0, 10) : null
}

/** The repository's page, as the run's own address tells it; null where that is of another form. */
export function repositoryUrl({ runUrl }: Pick<ReportContext, 'runUrl'>): string | null {
  return safeUrl(runUrl) === null ? null : (/^(.+\/[^/]+\/[^/]+)\/actions\/runs\/\d+$/.exec(runUrl ?? '')?.[1] ?? null)
}

/** A commit as a link to its page, or as code where that page is not known; empty for what is no commit. */
export function commitLink(context: Pick<ReportContext, 'runUrl'>, sha: string | null | undefined): string {
  const short = shortSha(sha)
  if (short === null) return ''
  const url = repositoryUrl(context)
  return url === null ? `\`${short}\`` : `[\`${short}\`](${url}/commit/${sha})`
}

/** A store's name where a comment can show it in a command, else a stand-in. */
export function baselineInCommand(ref: string | undefined): string {
  return ref !== undefined && /^(?:dir|branch):[\w ./:-]{1,200}$/.test(ref) ? (commandWord(ref) ?? 'REF') : 'REF'
}

/** The pack's path where a comment can show it in a command, else a stand-in. */
export function packInCommand(path: string | undefined): string {
  return path !== undefined && /^[\w ./-]{1,200}$/.test(path) ? (pathWord(path) ?? 'PACK') : 'PACK'
}
