import type { AnnotationProperties } from '@actions/core'
import type { Octokit } from '@octokit/rest'
import type { Annotation, Publisher } from '../../app/ports/publisher.ts'
import type { CommentText } from '../../core/report/comment.ts'
import { githubClient } from './client.ts'
import type { GithubAccess } from './client.ts'
import { findPullRequest, movedTo } from './find-pull-request.ts'
import type { FoundPull, PullRequestSearch, Repository } from './find-pull-request.ts'
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

/** A pull request by its number, with the head that was measured where the event tells it; or by what it can be found by. */
type CommentPlace = Repository & ({ number: number; measured: string | null } | { search: PullRequestSearch })

/** GitHub shows ten annotations of each level a step; more would push out the first. */
const ANNOTATIONS_MAX = 10

/** Shows a result on GitHub: comment, summary, annotations. */
export function githubPublisher({ toolkit, comment }: PublisherOptions): Publisher {
  return {
    async comment(text) {
      if ('skipped' in comment) return comment
      await using client = githubClient(comment.access)
      try {
        const found = await locate(client.octokit, comment.place)
        if ('skipped' in found) return found
        const shown = found.movedTo === null ? text : behindText(text)
        if (shown === null) return { skipped: movedOn(found.movedTo) }
        const { owner, repo } = comment.place
        return await stickyComment(client.octokit, { owner, repo, number: found.number }, shown, client.settleMs)
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

async function locate(octokit: Octokit, place: CommentPlace): Promise<FoundPull | { skipped: string }> {
  const repository = { owner: place.owner, repo: place.repo }
  if ('search' in place) return findPullRequest(octokit, repository, place.search)
  const { number, measured } = place
  return { number, movedTo: measured === null ? null : await movedTo(octokit, repository, number, measured) }
}

/** What is written of a head that is not the newest any more; null for nothing. */
function behindText({ marker, isIn, behind }: CommentText): CommentText | null {
  return behind === undefined ? null : { marker, isIn, body: behind }
}

function movedOn(head: string | null): string {
  return `the pull request has moved on to ${head?.slice(0, 10)}, of which this tells nothing`
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
