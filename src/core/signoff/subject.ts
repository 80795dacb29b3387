import type { CapacityRecord } from '../capacity/record.ts'

/** What is signed off, as an attestation names it: its image where it has one, else the hash of everything that an upgrade may change. */
export interface SignedSubject {
  /** Of the attestation: an image without its tag, or `capacity-gate-subject/<engine>/<version>`. */
  name: string
  /** 64 hex digits, under which the attestation is found. */
  digest: string
  kind: 'image' | 'subject_hash'
  /** Of engine, version, image, arguments, environment and router together. */
  subjectSha256: string
  engine: string
  version: string
}

/** A registry's name without tag; a bare digest is a local image's own id, under which no registry has anything. */
const IMAGE =
  /^([a-z0-9][a-z0-9._/-]{0,250}(?::\d{1,5}\/[a-z0-9._/-]{1,250})?)(?::[\w.-]{1,128})?@sha256:([0-9a-f]{64})$/

export function signedSubject({ subject }: CapacityRecord): SignedSubject {
  const { sha256: subjectSha256, name: engine, version } = subject
  const image = IMAGE.exec(subject.image ?? '')
  const [, name, digest] = image ?? []
  const known = { subjectSha256, engine: engine.slice(0, 200), version: version.slice(0, 200) }
  if (name !== undefined && digest !== undefined) return { name, digest, kind: 'image', ...known }
  const own = `capacity-gate-subject/${plainName(engine)}/${plainName(version)}`
  return { name: own, digest: subjectSha256, kind: 'subject_hash', ...known }
}

/** Whether a digest names the subject: by its hash, or by its image. */
export function isNamedBy(subject: SignedSubject, digest: string): boolean {
  return digest === subject.subjectSha256 || digest === subject.digest
}

function plainName(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9.+_-]/g, '-').slice(0, 100)
  return plain === '' ? '-' : plain
}
