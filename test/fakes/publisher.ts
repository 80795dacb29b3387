import type { Annotation, Publisher } from '../../src/app/ports/publisher.ts'

export interface FakePublisher extends Publisher {
  /** Comments by marker: one each. */
  readonly comments: Map<string, { body: string; url: string }>
  summaryText: string
  readonly annotations: Annotation[]
  /** Set: no comment can be written, for this reason. */
  refusal: string | null
  /** The pull request has another head by now than the one that is told of. */
  hasMovedOn: boolean
}

/** Keeps what would be shown. */
export function fakePublisher(): FakePublisher {
  const comments: FakePublisher['comments'] = new Map()
  return {
    comments,
    summaryText: '',
    annotations: [],
    refusal: null,
    hasMovedOn: false,
    async comment({ marker, body, behind }) {
      if (this.refusal !== null) return { skipped: this.refusal }
      const bodyOf = this.hasMovedOn ? behind : body
      if (bodyOf === undefined) return { skipped: 'the pull request has moved on' }
      const earlier = comments.get(marker)?.body
      const text = bodyOf(earlier === undefined ? [] : [earlier])
      const url = comments.get(marker)?.url ?? `https://github.example/comment-${comments.size + 1}`
      comments.set(marker, { body: text, url })
      return { url }
    },
    async summary(markdown) {
      this.summaryText += markdown
    },
    annotate(annotations) {
      for (const level of ['error', 'warning', 'notice'] as const) {
        this.annotations.push(...annotations.filter((annotation) => annotation.level === level).slice(0, 10))
      }
    },
  }
}
