import type { Annotation, Publisher } from '../../src/app/ports/publisher.ts'

export interface FakePublisher extends Publisher {
  /** Comments by marker: one each. */
  readonly comments: Map<string, { body: string; url: string }>
  summaryText: string
  readonly annotations: Annotation[]
  /** Set: no comment can be written, for this reason. */
  refusal: string | null
}

/** Keeps what would be shown. */
export function fakePublisher(): FakePublisher {
  const comments: FakePublisher['comments'] = new Map()
  return {
    comments,
    summaryText: '',
    annotations: [],
    refusal: null,
    async comment({ marker, body: bodyOf }) {
      if (this.refusal !== null) return { skipped: this.refusal }
      const earlier = comments.get(marker)?.body
      const body = bodyOf(earlier === undefined ? [] : [earlier])
      const url = comments.get(marker)?.url ?? `https://github.example/comment-${comments.size + 1}`
      comments.set(marker, { body, url })
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
