import type { CommentText } from '../../core/report/comment.ts'

export interface Annotation {
  level: 'error' | 'warning' | 'notice'
  message: string
  title: string
  file?: string
  line?: number
  column?: number
}

/** Where the result is shown. A comment that cannot be posted never changes the verdict: it comes back as a reason. */
export interface Publisher {
  comment(text: CommentText): Promise<{ url: string } | { skipped: string }>
  summary(markdown: string): Promise<void>
  annotate(annotations: readonly Annotation[]): void
}
