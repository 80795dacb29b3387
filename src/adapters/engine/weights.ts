import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { DeployOrder } from '../../app/ports/engine.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import { sha256Hex } from '../../core/kernel/hash.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { identityEvidence } from './identity.ts'
import { isWithin, linkOut } from './mounted-path.ts'
import { brokenBlob, missingShard, truncatedShard, unfinishedDownload, weightFiles } from './weight-files.ts'
import type { WeightFile } from './weight-files.ts'
import { digestFiles } from './weight-digests.ts'

/** Weights that are whole, and of the declared revision as far as their files can prove it. */
export interface StagedWeights {
  /** The model's own directory. */
  folder: string
  /** The Hugging Face cache that it lies in (`HF_HUB_CACHE`); null for a plain directory. */
  hubCache: string | null
  /** See `treeDigest`. */
  sha256: string
  files: number
  bytes: number
}

export interface WeightsOrder {
  manifest: Manifest
  /** The directory of `engine.deploy.weights`, or where a local model.id lies. */
  directory: string
  /** What reads them sees nothing of this machine but the directory. */
  isMounted?: boolean
  say(line: string): void
  stateParent?: string
}

/**
 * Finds the declared model below a directory and reads all of it. A hub id is looked for in a Hugging Face cache
 * (`models--org--name/snapshots/REVISION`, also below `hub`); each of its blobs must be what its name says. A model.id that is a directory
 * must have the digest that `model.revision` names as `sha256:…`. Throws GateError, exit 4: `weights_missing`, `weights_partial`,
 * `weights_outside`, `weights_mismatch`.
 */
export async function stageWeights(order: WeightsOrder, signal: AbortSignal): Promise<StagedWeights> {
  const { manifest, directory, say, stateParent } = order
  const { folder, hubCache } = await modelFolder(manifest, directory)
  const files = await weightFiles(folder)
  if (files.length === 0) throw missing(`${folder} is empty`)
  const gone = files.find((file) => file.target === null)
  if (gone) throw partial(`${join(folder, gone.path)} is no file, or points to one that is not there`)
  if (order.isMounted) await requireInside(directory, folder, files)
  const unfinished = hubCache === null ? null : await unfinishedDownload(folder, files)
  if (unfinished !== null) throw partial(unfinished)
  const shard = (await missingShard(folder, files)) ?? (await truncatedShard(folder, files))
  if (shard !== null) throw partial(shard)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > 1e9) say(`reading ${(bytes / 1e9).toFixed(1)} GB of weights in ${folder}, unless they were read before`)
  const digests = await digestFiles(files, signal, stateParent)
  const broken = hubCache === null ? null : await brokenBlob(files, digests)
  if (broken !== null) throw mismatch(broken, 'remove the file and download the snapshot again')
  const sha256 = treeDigest(files.map(({ path }, index) => [path, digests[index] ?? '']))
  requireDigest(manifest, folder, sha256)
  return { folder, hubCache, sha256, files: files.length, bytes }
}

/**
 * The weights of a process, which names them itself: read where model.id is a directory and the manifest declares its digest, else null.
 * Throws as `stageWeights` does.
 */
export async function ownWeights(
  order: Omit<WeightsOrder, 'directory'>,
  signal: AbortSignal,
): Promise<StagedWeights | null> {
  const { id, revision } = order.manifest.model
  return isAbsolute(id) && revision.startsWith('sha256:') ? stageWeights({ ...order, directory: id }, signal) : null
}

/** `identity.weights`; nothing where none were read. */
export function weightsIdentity(order: DeployOrder, weights: StagedWeights | null): Evidence[] {
  if (weights === null) return []
  const { folder, sha256, files, bytes } = weights
  const text = `${files} files with ${bytes} bytes, read or read before`
  return [identityEvidence(order, 'weights', { state: 'pass', file: folder, sha256, text })]
}

/** SHA-256 of the lines that `sha256sum` prints for a directory's files (`DIGEST  path`), in the order of their paths' bytes. */
export function treeDigest(files: readonly (readonly [path: string, sha256: string])[]): string {
  const sorted = files.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return sha256Hex(sorted.map(([path, sha256]) => `${sha256}  ${path}\n`).join(''))
}

/** A container finds of a link only what lies in its mount. */
async function requireInside(directory: string, folder: string, files: readonly WeightFile[]): Promise<void> {
  for (const { path } of files) {
    const link = await linkOut(directory, join(folder, path))
    if (link === null) continue
    throw new GateError({
      code: 'weights_outside',
      message: `the weights are not all in the folder that the container sees: ${link} leads out of ${directory}`,
      hint: 'put the file itself there, or name a folder in engine.deploy.weights that holds both the link and its file',
      exitCode: EXIT.invalid,
    })
  }
}

function requireDigest({ model }: Manifest, folder: string, sha256: string): void {
  for (const [field, declared] of [
    ['model.revision', model.revision],
    ['model.tokenizer_revision', model.tokenizer_revision],
  ] as const) {
    if (!declared.startsWith('sha256:') || declared === `sha256:${sha256}`) continue
    throw mismatch(
      `the files in ${folder} have the digest sha256:${sha256}; ${field} is ${declared}`,
      'stage the declared weights, or declare the digest of these if they are what you mean',
    )
  }
}

async function modelFolder(
  { model }: Manifest,
  directory: string,
): Promise<Pick<StagedWeights, 'folder' | 'hubCache'>> {
  if (!(await isFolder(directory))) throw missing(`${directory} is no directory`)
  if (isAbsolute(model.id)) {
    const [root, folder] = [await realpath(directory), await realpath(model.id).catch(() => null)]
    if (folder === null || !(await isFolder(folder))) throw missing(`${model.id} is no directory`)
    if (!isWithin(root, folder)) throw missing(`model.id ${model.id} does not lie in ${directory}`)
    return { folder: model.id, hubCache: null }
  }
  const name = `models--${model.id.replaceAll('/', '--')}`
  for (const hubCache of [directory, join(directory, 'hub')]) {
    if (!(await isFolder(join(hubCache, name)))) continue
    for (const revision of [model.tokenizer_revision, model.revision]) {
      if (await isFolder(join(hubCache, name, 'snapshots', revision))) continue
      throw missing(`${join(hubCache, name)} has no snapshot ${revision}`)
    }
    return { folder: join(hubCache, name, 'snapshots', model.revision), hubCache }
  }
  throw missing(`${directory} has no ${name}, as a Hugging Face cache of ${model.id} would`)
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

function missing(what: string): GateError {
  return new GateError({
    code: 'weights_missing',
    message: `the weights are not there: ${what}`,
    hint: 'download them first, e.g. hf download MODEL --revision COMMIT --cache-dir DIR, and name DIR in engine.deploy.weights',
    exitCode: EXIT.invalid,
  })
}

function partial(what: string): GateError {
  return new GateError({
    code: 'weights_partial',
    message: `the weights are not whole: ${what}`,
    hint: 'let the download finish, or begin it again',
    exitCode: EXIT.invalid,
  })
}

function mismatch(what: string, hint: string): GateError {
  return new GateError({
    code: 'weights_mismatch',
    message: `the weights are not the declared ones: ${what}`,
    hint,
    exitCode: EXIT.invalid,
  })
}
