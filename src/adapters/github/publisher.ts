import type { AnnotationProperties } from '@actions/core'
import type { Annotation, Publisher } from '../../app/ports/publisher.ts'
import { githubClient } from './client.ts'
import type { GithubAccess } from './client.ts'
import { findPullRequest } from './find-pull-request.ts'
import type { PullRequestSearch, Repository } from './find-pull-request.ts'
import { refusalText } from './refusal-text.ts'
import { stickyComment } from './sticky-comment.ts'

/** The part of @actions/core that shows things; a recorder in tests. */
export interface Toolkit {
  error(message: string, properties?: AnnotationProperties): void
  warning(message: string, properties?: AnnotationProperties): void
  notice(message: string, properties?: AnnotationProperties): void
  summary: { addRaw(text: string): { write(): Promise<unknown> } }
}

export interface PublisherOptions {
  toolkit: Toolkit
  /** Where the comment goes: a number, or what it is found by; or why none is written. */
  comment: { access: GithubAccess; place: CommentPlace } | { skipped: string }
}

/** A pull request by its number, or by what it can be found by. */
type CommentPlace = Repository & ({ number: number } | { search: PullRequestSearch })

/** GitHub shows ten annotations of each level a step; more would push out the first. */
const ANNOTATIONS_MAX = 10

/** Shows a result on GitHub: comment, summary, annotations. */
export function githubPublisher({ toolkit, comment }: PublisherOptions): Publisher {
  return {
    async comment(text) {
      if ('skipped' in comment) return comment
      await using client = githubClient(comment.access)
      try {
        const { owner, repo } = comment.place
        const number =
          'number' in comment.place
            ? comment.place.number
            : await findPullRequest(client.octokit, { owner, repo }, comment.place.search)
        if (typeof number !== 'number') return number
        return await stickyComment(client.octokit, { owner, repo, number }, text, client.settleMs)
      } catch (error) {
        return { skipped: refusalText(error) }
      }
    },
    async summary(markdown) {
      await toolkit.summary.addRaw(markdown).write()
    },
    annotate(annotations) {
      for (const level of ['error', 'warning', 'notice'] as const) {
        const ofLevel = annotations.filter((annotation) => annotation.level === level)
        for (const annotation of withinTen(ofLevel)) toolkit[level](annotation.message, propertiesOf(annotation))
      }
    },
  }
}

function withinTen(annotations: readonly Annotation[]): readonly Annotation[] {
  const first = annotations[0]
  if (first === undefined || annotations.length <= ANNOTATIONS_MAX) return annotations
  const left = annotations.length - ANNOTATIONS_MAX + 1
  const { level } = first
  return [
    ...annotations.slice(0, ANNOTATIONS_MAX - 1),
    { level, title: 'More', message: `and ${left} more: see the log` },
  ]
}

function propertiesOf({ title, file, line, column }: Annotation): AnnotationProperties {
  return {
    title,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { startLine: line }),
    ...(column === undefined ? {} : { startColumn: column }),
  }
}
