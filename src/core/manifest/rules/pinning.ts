import { showPath, showValue, type Breach, type Path } from '../finding.ts'
import { isMapping } from '../schema-walk.ts'
import { valueAt } from '../schema-findings.ts'
import type { Rule, RuleInput } from './rule.ts'

/** Names that are moved to another content sooner or later. */
const MOVING =
  /^(?:refs\/heads\/|refs\/remotes\/)?(?:[\w.-]+\/)?(?:latest|main|master|trunk|nightly|head|tip|dev|devel|develop|development|stable|edge|canary|rolling|current|default|snapshot|next|unstable|lts|auto|release|prod|production)$/i
/** A moving name with a suffix that says no moment: `latest-cu129`, `nightly-amd64`. */
const MOVING_STEM = /^(?:latest|nightly|main|master|head|edge|canary)[-_.@]/i
/** A date or a commit inside a name fixes it. */
const FIXED_INSIDE = /\d{8}|\d{4}-\d{2}-\d{2}|[0-9a-f]{7,40}/i
const VERSION_RANGE = /^(?:[\^~<>=!]|\*$)|[*,|]|\.x\b|\s-\s|\|\|/i

const COMMIT = /^[0-9a-f]{40}$/i
const LOCAL_DIGEST = /^sha256:[0-9a-f]{64}$/
const IMAGE_DIGEST = /(?:^|@)sha256:[0-9a-f]{64}$/

const REVISIONS: readonly Path[] = [
  ['model', 'revision'],
  ['model', 'tokenizer_revision'],
]
const IMAGES: readonly Path[] = [
  ['engine', 'deploy', 'image'],
  ['engine', 'deploy', 'router', 'image'],
]

/** The text at a path of the document; a number that should have been quoted counts as one. */
function textAt(input: RuleInput, path: Path): string | null {
  const value = valueAt(input.raw, path)
  return typeof value === 'string' && value !== '' ? value : null
}

function isMovingName(name: string): boolean {
  return MOVING.test(name) || (MOVING_STEM.test(name) && !FIXED_INSIDE.test(name))
}

/** What is mutable in an image reference, or null: its tag, or the `latest` that a missing tag means. */
function movingTag(image: string): string | null {
  if (image.includes('@') || LOCAL_DIGEST.test(image)) return null
  const tag = /:([^:/]*)$/.exec(image)?.[1]
  if (tag === undefined || tag === '') return 'no tag, which means `latest`'
  return isMovingName(tag) ? `the moving tag ${showValue(tag)}` : null
}

function mutable(input: RuleInput): Breach[] {
  const revisions = REVISIONS.flatMap((path): Breach[] => {
    const revision = textAt(input, path)
    if (revision === null || !isMovingName(revision)) return []
    return [{ path, message: `\`${showPath(path)}\` is ${showValue(revision)}, which moves` }]
  })
  const version = textAt(input, ['engine', 'version'])
  const versions: Breach[] =
    version !== null && (isMovingName(version) || VERSION_RANGE.test(version))
      ? [
          {
            path: ['engine', 'version'],
            message: `\`engine.version\` is ${showValue(version)}, which is no single version`,
          },
        ]
      : []
  const images = IMAGES.flatMap((path): Breach[] => {
    const image = textAt(input, path)
    const moving = image === null ? null : movingTag(image)
    return moving === null ? [] : [{ path, message: `\`${showPath(path)}\` has ${moving}` }]
  })
  return [...revisions, ...versions, ...images]
}

function unpinnedRevisions(input: RuleInput): Breach[] {
  if (input.dialect.simulated) return []
  return REVISIONS.flatMap((path): Breach[] => {
    const revision = textAt(input, path)
    if (revision === null || COMMIT.test(revision) || LOCAL_DIGEST.test(revision) || isMovingName(revision)) return []
    const isShort = /^[0-9a-f]{7,39}$/i.test(revision)
    const what = isShort
      ? `${showValue(revision)}, an abbreviated commit`
      : `${showValue(revision)}, a name that can be moved`
    return [{ path, message: `\`${showPath(path)}\` is ${what}` }]
  })
}

function unpinnedImages(input: RuleInput): Breach[] {
  return IMAGES.flatMap((path): Breach[] => {
    const image = textAt(input, path)
    if (image === null || IMAGE_DIGEST.test(image) || movingTag(image) !== null) return []
    const what = image.includes('@') ? 'whose digest is not sha256 with 64 hex digits' : 'without a digest'
    return [{ path, message: `\`${showPath(path)}\` is ${showValue(image, 100)}, ${what}` }]
  })
}

function undeclaredTemplate(input: RuleInput): Breach[] {
  const path = ['model', 'chat_template_sha256']
  const digest = textAt(input, path)
  if (digest === null || digest === 'none' || /^(?:sha256:)?[0-9a-f]{64}$/i.test(digest)) return []
  return [{ path, message: `\`model.chat_template_sha256\` is ${showValue(digest)}, no SHA-256` }]
}

function foreignKey(input: RuleInput): Breach[] {
  const model = valueAt(input.raw, ['model'])
  if (
    !isMapping(model) ||
    typeof model['id'] !== 'string' ||
    !/[@:](?:latest|main|master|nightly|head)$/i.test(model['id'])
  )
    return []
  return [
    { path: ['model', 'id'], message: `\`model.id\` is ${showValue(model['id'])}: it names a revision that moves` },
  ]
}

export const PINNING_RULES: readonly Rule[] = [
  {
    id: 'mutable-revision',
    title: 'A revision, version or image tag can move',
    level: 'valid',
    severity: 'error',
    why: 'latest, main, nightly, HEAD and the like name other content tomorrow: the run cannot be repeated, and two capacities cannot be compared.',
    mend: 'Name the commit (40 hex digits), the exact version, or the image by digest (name@sha256:…).',
    check: (input) => [...mutable(input), ...foreignKey(input)],
  },
  {
    id: 'revision-not-pinned',
    title: 'Model or tokenizer revision is no commit and no digest',
    level: 'deployable',
    severity: 'error',
    why: 'Tags and branches can be moved, and abbreviated commits can become ambiguous. What is deployed must be exactly what the manifest says.',
    mend: 'Write the full commit (40 hex digits), or sha256:… of the local files.',
    check: unpinnedRevisions,
  },
  {
    id: 'image-not-by-digest',
    title: 'An image is not named by its digest',
    level: 'deployable',
    severity: 'error',
    why: 'A tag can be pushed again. Only a digest names one content.',
    mend: 'Write name@sha256:<64 hex digits>; `docker buildx imagetools inspect` prints it.',
    check: unpinnedImages,
  },
  {
    id: 'template-digest-malformed',
    title: 'The chat template is no SHA-256',
    level: 'valid',
    severity: 'error',
    why: 'The template decides how many tokens a chat prompt has; its digest is compared with the file that the engine uses.',
    mend: "Write the 64 hex digits of the template's SHA-256, or none.",
    check: undeclaredTemplate,
  },
]
