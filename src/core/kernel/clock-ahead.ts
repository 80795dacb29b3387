/** How far another machine's clock may be ahead of this one's, in milliseconds, before what it dates is taken to be of no known time. */
export const CLOCK_AHEAD_MAX_MS = 3_600_000
