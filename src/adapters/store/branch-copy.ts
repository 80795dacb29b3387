import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXIT } from '../../core/kernel/errors.ts'
import { fileError, tooLargeError } from '../system/file-errors.ts'
import { temporaryFolder } from '../system/temporaries.ts'
import type { AcceptedFiles, AddedFile } from './accepted-files.ts'
import type { Git, GitOptions, GitRemote } from './git-program.ts'
import { gitIn, shownUrl } from './git-program.ts'
import { fetchAnswer, pushAnswer } from './git-refusal.ts'
import type { ServerAnswer } from './git-refusal.ts'
import { LARGEST_RECORD } from './record-file.ts'

/** A folder of a branch of a repository. */
export interface BranchAddress {
  remote: GitRemote
  branch: string
  /** '' for the root of the branch. */
  folder: string
}

export interface BranchPlace extends BranchAddress {
  /** What is kept there, with its article, for messages: `the baselines`. */
  holds: string
}

/** The place for people, with its repository. */
export function shownBranch({ branch, folder, remote }: BranchAddress): string {
  return `branch:${branch}${folder === '' ? '' : `:${folder}`} of ${shownUrl(remote.url)}`
}

/** A path below the place as `git show` takes it. */
export function placeIn({ branch, folder }: BranchAddress, path: string): string {
  return `${branch}:${folder === '' ? path : `${folder}/${path}`}`
}

interface Blob {
  oid: string
  bytes: number
}

/** A branch's newest commit, in a bare repository of its own in the temporary folder: no checkout is touched. */
export interface BranchCopy extends AsyncDisposable {
  /** Brings the newest commit; a branch that is missing is an empty one. */
  fetch(): Promise<ServerAnswer>
  files: AcceptedFiles
  /** Whether all of these files are on the branch as they are. */
  holds(added: readonly AddedFile[]): Promise<boolean>
  /** Pushes one commit that adds the files to what was fetched; `conflict` where the branch has moved since. */
  push(added: readonly AddedFile[], message: string): Promise<ServerAnswer>
}

const HEAD = 'refs/capacity-gate/head'
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Capacity Gate',
  GIT_AUTHOR_EMAIL: 'capacity-gate@localhost',
  GIT_COMMITTER_NAME: 'Capacity Gate',
  GIT_COMMITTER_EMAIL: 'capacity-gate@localhost',
}

export async function openBranchCopy(place: BranchPlace, options: GitOptions): Promise<BranchCopy> {
  const folder = await temporaryFolder('git').catch((error: unknown) => {
    throw fileError(error, 'make a temporary folder in', tmpdir())
  })
  const close = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const git = gitIn(folder, place.remote, options)
    await git.require(['init', '--quiet', '--bare', '--template='])
    return { ...branchCopy(git, place, options.deadlineMs, join(folder, 'gate-index')), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

function branchCopy(
  git: Git,
  place: BranchPlace,
  deadlineMs: number,
  indexFile: string,
): Omit<BranchCopy, typeof Symbol.asyncDispose> {
  const { remote, branch, folder, holds } = place
  const shown = `${holds} in ${branch} of ${shownUrl(remote.url)}`
  const inBranch = (path: string) => (folder === '' ? path : `${folder}/${path}`)
  let head: string | null = null
  let blobs = new Map<string, Blob>()
  return {
    async fetch() {
      const refspec = `+refs/heads/${branch}:${HEAD}`
      const end = await git.run(['fetch', '--quiet', '--no-tags', '--depth=1', '--', remote.url, refspec])
      const answer = fetchAnswer(end, shown, deadlineMs)
      if (answer.kind === 'done') {
        head = (await git.require(['rev-parse', '--verify', HEAD])).toString('utf8').trim()
        blobs = await listBlobs(git, head)
      } else if (answer.kind === 'branch_missing') [head, blobs] = [null, new Map()]
      return answer
    },
    files: {
      names: async (path) => namesIn([...blobs.keys()], inBranch(path)),
      text: (path) => blobText(git, blobs.get(inBranch(path)), placeIn(place, path)),
      shown: (path) => placeIn(place, path),
    },
    async holds(added) {
      for (const { path, text } of added) {
        if (blobs.get(inBranch(path))?.oid !== (await writeBlob(git, text))) return false
      }
      return true
    },
    async push(added, message) {
      const files = added.map(({ path, text }) => ({ path: inBranch(path), text }))
      const commit = await writeCommit(git, { head, files, message, indexFile })
      // Not forced but conditional: refused where the branch is no longer, or not yet, what was fetched.
      const lease = `--force-with-lease=refs/heads/${branch}:${head ?? ''}`
      const options = ['--porcelain', '--no-verify', '--no-follow-tags', lease]
      const end = await git.run(['push', ...options, '--', remote.url, `${commit}:refs/heads/${branch}`])
      return pushAnswer(end, shown, deadlineMs)
    },
  }
}

function namesIn(paths: readonly string[], folder: string): string[] {
  const prefix = `${folder}/`
  const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  return below.filter((name) => !name.includes('/'))
}

async function listBlobs(git: Git, head: string): Promise<Map<string, Blob>> {
  const listed = (await git.require(['ls-tree', '-r', '-z', '-l', '--full-tree', head])).toString('utf8')
  const lines = listed.split('\0').flatMap((line) => {
    // A link or a submodule is no file of ours.
    const [, oid, bytes, path] = /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(line) ?? []
    return oid !== undefined && path !== undefined ? [[path, { oid, bytes: Number(bytes) }] as const] : []
  })
  return new Map(lines)
}

async function blobText(git: Git, blob: Blob | undefined, shown: string): Promise<string | null> {
  if (blob === undefined) return null
  if (blob.bytes > LARGEST_RECORD) {
    throw tooLargeError('the file', shown, blob.bytes, LARGEST_RECORD, EXIT.invalid)
  }
  return (await git.require(['cat-file', 'blob', blob.oid])).toString('utf8')
}

async function writeBlob(git: Git, text: string): Promise<string> {
  return (await git.require(['hash-object', '-w', '--stdin'], { input: text })).toString('utf8').trim()
}

interface CommitOrder {
  head: string | null
  files: readonly AddedFile[]
  message: string
  indexFile: string
}

async function writeCommit(git: Git, { head, files, message, indexFile }: CommitOrder): Promise<string> {
  const env = { GIT_INDEX_FILE: indexFile }
  await git.require(head === null ? ['read-tree', '--empty'] : ['read-tree', head], { env })
  const entries: string[] = []
  for (const { path, text } of files) entries.push(`100644 ${await writeBlob(git, text)}\t${path}\0`)
  await git.require(['update-index', '--add', '-z', '--index-info'], { env, input: entries.join('') })
  const tree = (await git.require(['write-tree'], { env })).toString('utf8').trim()
  const parent = head === null ? [] : ['-p', head]
  const commit = await git.require(['commit-tree', tree, ...parent, '-F', '-'], { env: AUTHOR, input: message })
  return commit.toString('utf8').trim()
}
