import type { AcceptedRecords, BaselineKey, Standing } from '../../app/ports/store.ts'
import type { CapacityRecord } from '../../core/capacity/record.ts'
import type { KeptPromotion, Promotion } from '../../core/gate/promotion-schema.ts'
import { parseKeptPromotion } from '../../core/gate/promotion-schema.ts'
import { parseCapacityRecord } from '../../core/gate/read.ts'
import { canonicalSha256 } from '../../core/kernel/canonical.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { sha256Hex } from '../../core/kernel/hash.ts'

/**
 * How accepted records lie in a folder or on a branch, in `<kind>/<gate id>/`: `records/<experiment>-<hardware>/<created at>-<digest>.json`
 * and `promotions/<number>.json`, of which the highest number counts. Files are added and never changed. The kind is part of the path, so
 * that a simulated record is never found where a measured one is looked for.
 */
export interface AcceptedFiles {
  /** Names of the files directly in a folder; none where it is missing. */
  names(folder: string): Promise<readonly string[]>
  /** A file's text, or null where there is none. */
  text(path: string): Promise<string | null>
  /** A path as messages show it. */
  shown(path: string): string
}

export interface AddedFile {
  path: string
  text: string
}

/** All that these files say was accepted. */
export function standingIn(files: AcceptedFiles): Standing {
  return { load: (key) => loadAccepted(files, key), history: (key) => loadHistory(files, key) }
}

/** The newest baseline and anchor. Throws GateError, exit 4, for a promotion or a record that cannot be trusted, naming its file. */
async function loadAccepted(files: AcceptedFiles, key: BaselineKey): Promise<AcceptedRecords> {
  const folder = gateFolder(key)
  const promotions = await promotionsOf(files, folder)
  return {
    baseline: await recordOf(files, folder, key, chosen(promotions, key)),
    anchor: await recordOf(
      files,
      folder,
      key,
      chosen(promotions, key, (promotion) => promotion.anchor),
    ),
  }
}

/** Each record once, oldest first. What is damaged, of a newer schema or of another gate is passed over. */
async function loadHistory(files: AcceptedFiles, key: BaselineKey): Promise<CapacityRecord[]> {
  const folder = gateFolder(key)
  const paths = new Set<string>()
  for (const name of await promotionNames(files, folder)) {
    const promotion = await readable(() => readPromotion(files, folder, name))
    if (promotion) paths.add(promotion.record.path)
  }
  const records: CapacityRecord[] = []
  for (const path of paths) {
    const text = await files.text(`${folder}/${path}`)
    const record = text === null ? null : await readable(async () => parseCapacityRecord(text, path))
    if (record?.kind === key.kind && record.gateId === key.gateId) records.push(record)
  }
  return records.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
}

/**
 * The files that make a record the baseline, the record's first: what is cut off in between leaves the former one. Throws GateError
 * `promotion_newer` where a later tool's promotion would no longer be the last, and `experiment_moved_on` where the newest is of another
 * experiment and this one is not said to be new.
 */
export async function filesToAdd(
  files: AcceptedFiles,
  record: CapacityRecord,
  promotion: Promotion,
): Promise<AddedFile[]> {
  const folder = gateFolder(record)
  const names = await promotionNames(files, folder)
  const last = names.at(-1)
  const newest = last === undefined ? null : await readable(() => readPromotion(files, folder, last))
  if (newest !== null && !promotion.newExperiment && newest.record.experimentSha256 !== record.experiment.sha256) {
    throw movedOn(files.shown(`${folder}/promotions/${last}`))
  }
  const text = `${JSON.stringify(record, null, 2)}\n`
  const path = recordPath(record, text)
  const { createdAt, commit, experiment, hardware } = record
  const kept: KeptPromotion = {
    schema: 1,
    ...promotion,
    record: {
      path,
      sha256: sha256Hex(text),
      createdAt,
      commit,
      experimentSha256: experiment.sha256,
      mustEqual: hardware.mustEqual,
    },
  }
  const number = last === undefined ? 1 : Number.parseInt(last, 10) + 1
  const name = `${String(number).padStart(NUMBER_DIGITS, '0')}.json`
  return [
    ...((await files.text(`${folder}/${path}`)) === text ? [] : [{ path: `${folder}/${path}`, text }]),
    { path: `${folder}/promotions/${name}`, text: `${JSON.stringify(kept, null, 2)}\n` },
  ]
}

/** Where the record of these files lies. */
export function recordPlace(record: CapacityRecord): string {
  return `${gateFolder(record)}/${recordPath(record, `${JSON.stringify(record, null, 2)}\n`)}`
}

const NUMBER_DIGITS = 6

/** A gate id is the user's own word; as a folder's name it is encoded, so that no id leaves its place. */
export function gateFolder({ gateId, kind }: Pick<BaselineKey, 'gateId' | 'kind'>): string {
  const name = encodeURIComponent(gateId).replaceAll(/^\.+/g, (dots) => '%2E'.repeat(dots.length))
  if (name !== '' && name.length <= 200) return `${kind}/${name}`
  throw new GateError({
    code: 'gate_id_invalid',
    message: `the gate id ${JSON.stringify(gateId.slice(0, 100))} is empty or too long`,
    hint: 'set gate.id in the manifest to a short name',
    exitCode: EXIT.invalid,
  })
}

/** A time's colons are no part of a portable file name. */
function recordPath({ createdAt, experiment, hardware }: CapacityRecord, text: string): string {
  const key = `${experiment.sha256.slice(0, 12)}-${canonicalSha256(hardware.mustEqual).slice(0, 12)}`
  const time = createdAt.replaceAll(/[^0-9A-Za-z.-]/g, '').slice(0, 40)
  return `records/${key}/${time}-${sha256Hex(text).slice(0, 16)}.json`
}

async function promotionNames(files: AcceptedFiles, folder: string): Promise<string[]> {
  const names = (await files.names(`${folder}/promotions`)).filter((name) => /^\d{1,15}\.json$/.test(name))
  return names.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}

/** Newest first. */
async function promotionsOf(files: AcceptedFiles, folder: string): Promise<KeptPromotion[]> {
  const promotions: KeptPromotion[] = []
  for (const name of await promotionNames(files, folder)) promotions.unshift(await readPromotion(files, folder, name))
  return promotions
}

async function readPromotion(files: AcceptedFiles, folder: string, name: string): Promise<KeptPromotion> {
  const path = `${folder}/promotions/${name}`
  return parseKeptPromotion((await files.text(path)) ?? '', files.shown(path))
}

/**
 * The newest promotion says which experiment is held to. Another machine's run finds that machine's own newest record of this
 * experiment; where there is none, the newest of all, so that the gate can say what differs.
 */
function chosen(
  promotions: readonly KeptPromotion[],
  key: BaselineKey,
  isOne: (promotion: KeptPromotion) => boolean = () => true,
): KeptPromotion | undefined {
  const current = promotions[0]?.record.experimentSha256
  const { mustEqual } = key
  const machine = mustEqual && canonicalSha256(mustEqual)
  const own = promotions.find(
    (one) =>
      isOne(one) &&
      one.record.experimentSha256 === current &&
      machine !== undefined &&
      canonicalSha256(one.record.mustEqual) === machine,
  )
  return own ?? promotions.find(isOne)
}

async function recordOf(
  files: AcceptedFiles,
  folder: string,
  key: BaselineKey,
  promotion: KeptPromotion | undefined,
): Promise<CapacityRecord | null> {
  if (promotion === undefined) return null
  const path = `${folder}/${promotion.record.path}`
  const text = await files.text(path)
  if (text === null) throw distrusted('record_missing', `${files.shown(path)} was accepted and is no longer there`)
  const record = parseCapacityRecord(text, files.shown(path))
  if (record.kind !== key.kind || record.gateId !== key.gateId) {
    const what = `a ${record.kind} record of gate ${JSON.stringify(record.gateId.slice(0, 100))}`
    throw distrusted('record_misplaced', `${files.shown(path)} holds ${what}`)
  }
  if (sha256Hex(text) === promotion.record.sha256) return record
  throw distrusted('record_altered', `${files.shown(path)} is not the record that was accepted: its bytes changed`)
}

function distrusted(code: string, message: string): GateError {
  const hint = 'it was changed by hand: restore it, or promote a record again with --new-experiment'
  return new GateError({ code, message, hint, exitCode: EXIT.invalid })
}

function movedOn(shown: string): GateError {
  return new GateError({
    code: 'experiment_moved_on',
    message: `${shown} accepted a record of another experiment`,
    hint: 'look at that promotion, then sweep under its manifest, or promote with --new-experiment if this one is meant',
    exitCode: EXIT.invalid,
  })
}

/** Null for what cannot be read for its own sake; a later tool's work is never passed over by a writer. */
async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof GateError && /^(record_|promotion_invalid)/.test(error.code)) return null
    throw error
  }
}
