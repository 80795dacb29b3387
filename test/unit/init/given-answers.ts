import type { GivenAnswers } from '../../../src/core/init/answers.ts'

export const COMMIT = '6f0d3a9c2b71e84d5c0f9a1b3e7d2468ace01357'
export const DIGEST = '3c1f7a5e9b2d4068acef13579bdf02468ace13579bdf02468ace0f1e2d3c4b5a'

/** What must be said, and nothing more. */
export function fewest(change: GivenAnswers = {}): GivenAnswers {
  return {
    engine: 'vllm',
    engineVersion: '0.32.0',
    image: `vllm/vllm-openai@sha256:${DIGEST}`,
    model: 'acme/dense-8b',
    modelRevision: COMMIT,
    ...change,
  }
}
