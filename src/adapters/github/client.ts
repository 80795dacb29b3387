import { randomUUID } from 'node:crypto'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { Octokit } from '@octokit/rest'
import { EnvHttpProxyAgent, fetch } from 'undici'
import type { RequestInit } from 'undici'

export interface GithubAccess {
  token: string
  /** `https://api.github.com`, or an Enterprise Server's `https://HOST/api/v3`. */
  apiUrl: string
  toolVersion: string
  /** What one second of a wait between tries lasts, in milliseconds; shorter in tests. */
  secondMs?: number
}

export interface GithubClient extends AsyncDisposable {
  octokit: Octokit
  /** Longer than the time between a look at what stands and the write that follows it: writes are spaced by a second. */
  settleMs: number
}

const REQUEST_DEADLINE_MS = 20_000
/** All requests of one comment, retries and waits for a rate limit included. */
const TOTAL_DEADLINE_MS = 180_000
/** A limit that is lifted later than this is not waited for: a job must not hang on its comment. */
const LONGEST_WAIT_SECONDS = 60
const RETRIES = 2
const SETTLE_SECONDS = 2

/** A request's own option `renew` gives what of it is made anew ahead of each try, also of those that the plugins after it make. */
function renewal({ hook }: Pick<Octokit, 'hook'>): void {
  hook.before('request', async (options) => {
    const { renew } = options.request as { renew?: () => Promise<object> }
    if (renew !== undefined) Object.assign(options, await renew())
  })
}

// The first to be plugged in is the nearest to the network.
const PluggedOctokit = Octokit.plugin(renewal, retry, throttling)

/** GitHub's API with deadlines, retries and waits for rate limits that are soon over; through the runner's proxy where it has one. */
export function githubClient(access: GithubAccess): GithubClient {
  const dispatcher = new EnvHttpProxyAgent()
  const whole = AbortSignal.timeout(TOTAL_DEADLINE_MS)
  const secondMs = access.secondMs ?? 1000
  const isWorthWaiting = (retryAfter: number, _options: unknown, _octokit: unknown, retryCount: number) =>
    retryAfter <= LONGEST_WAIT_SECONDS && retryCount < RETRIES
  const octokit = new PluggedOctokit({
    auth: access.token,
    baseUrl: access.apiUrl.replace(/\/+$/, ''),
    userAgent: `capacity-gate/${access.toolVersion}`,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    request: {
      fetch: (url: string, init: RequestInit) => {
        const signal = AbortSignal.any([whole, AbortSignal.timeout(REQUEST_DEADLINE_MS)])
        return fetch(url, { ...init, dispatcher, signal })
      },
    },
    retry: { retries: RETRIES, retryAfterBaseValue: secondMs },
    throttle: {
      id: randomUUID(),
      retryAfterBaseValue: secondMs,
      onRateLimit: isWorthWaiting,
      onSecondaryRateLimit: isWorthWaiting,
    },
  })
  return { octokit, settleMs: SETTLE_SECONDS * secondMs, [Symbol.asyncDispose]: () => dispatcher.destroy() }
}
