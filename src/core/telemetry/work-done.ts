import type { RequestRecord } from '../record/record.ts'

/** What one answer's decoding saw on its replica: times in microseconds, counts in tokens. */
export interface DecodeWindow {
  /** From its first token-bearing chunk to its last. */
  decodeUs: number
  /** Its own tokens in that time. */
  tokens: number
  /** Tokens of all answers of the replica in that time, its own among them. */
  batchTokens: number
  /** Prompt tokens that the replica finished computing in that time. */
  prefillTokens: number
  gapUs: RequestRecord['gapUs']
}

interface Answer extends DecodeWindow {
  fromUs: number
  untilUs: number
  promptTokens: number
  /** Whether its tokens after the first chunk are known well enough. */
  isFine: boolean
}

/** How many of an answer's tokens its first chunk had is not told: of fewer chunks a wrong guess is more than some hundredths of the rest. */
const COARSE_CHUNKS_MIN = 8

/**
 * For each success of more than one chunk (of eight, where they hold several tokens) what its replica did while it was decoded. Others' tokens are taken to be spread evenly over
 * their own answers, and a prompt (of `computed` tokens) to be computed when its first token comes; warm-up requests, which have no rows,
 * are not counted.
 */
export function decodeWindows(
  records: readonly RequestRecord[],
  computed: (record: RequestRecord) => number | null,
): DecodeWindow[] {
  const answers = records.flatMap((record) => answerOf(record, computed(record)))
  const replicas = Map.groupBy(answers, ({ replica }) => replica)
  return [...replicas.values()].flatMap((answers) => {
    const decoded = cumulative(answers.filter(({ untilUs, fromUs }) => untilUs > fromUs).flatMap(slopesOf))
    const prefilled = cumulative(
      answers.map(({ fromUs, promptTokens }) => ({ atUs: fromUs, slope: 0, jump: promptTokens })),
    )
    return answers
      .filter(({ decodeUs, tokens, isFine }) => decodeUs > 0 && tokens > 0 && isFine)
      .map(({ fromUs, untilUs, ...answer }) => ({
        decodeUs: answer.decodeUs,
        tokens: answer.tokens,
        gapUs: answer.gapUs,
        batchTokens: decoded(untilUs) - decoded(fromUs),
        prefillTokens: prefilled(untilUs) - prefilled(fromUs),
      }))
  })
}

/** The most of these answers that were decoded at the same time. */
export function mostTogether(records: readonly RequestRecord[]): number {
  const turns = records.flatMap(({ firstTokenUs, lastTokenUs }) =>
    firstTokenUs === null || lastTokenUs === null || lastTokenUs <= firstTokenUs
      ? []
      : [
          { atUs: firstTokenUs, by: 1 },
          { atUs: lastTokenUs, by: -1 },
        ],
  )
  let [now, most] = [0, 0]
  // Who ends makes room for who begins at that moment.
  for (const { by } of turns.toSorted((a, b) => a.atUs - b.atUs || a.by - b.by)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}

function answerOf(record: RequestRecord, promptTokens: number | null): (Answer & { replica: number })[] {
  const { status, firstTokenUs, lastTokenUs, outputTokens, chunks, gapUs } = record
  if (status !== 'ok' || firstTokenUs === null || lastTokenUs === null || outputTokens === null) return []
  if (promptTokens === null || chunks < 1) return []
  return [
    {
      replica: record.replica ?? 0,
      fromUs: firstTokenUs,
      untilUs: lastTokenUs,
      decodeUs: lastTokenUs - firstTokenUs,
      // The first chunk's tokens were there before.
      tokens: outputTokens - outputTokens / chunks,
      promptTokens,
      isFine: chunks >= Math.min(outputTokens, COARSE_CHUNKS_MIN),
      gapUs,
      batchTokens: 0,
      prefillTokens: 0,
    },
  ]
}

/** At a time the rate of a sum changes by `slope` a microsecond, and the sum by `jump`. */
interface Turn {
  atUs: number
  slope: number
  jump: number
}

function slopesOf({ fromUs, untilUs, tokens }: Answer): Turn[] {
  const slope = tokens / (untilUs - fromUs)
  return [
    { atUs: fromUs, slope, jump: 0 },
    { atUs: untilUs, slope: -slope, jump: 0 },
  ]
}

/** The sum up to and including a time. */
function cumulative(turns: readonly Turn[]): (atUs: number) => number {
  const sorted = turns.toSorted((a, b) => a.atUs - b.atUs)
  const sums = new Float64Array(sorted.length)
  const slopes = new Float64Array(sorted.length)
  let [sum, slope, beforeUs] = [0, 0, 0]
  for (const [index, turn] of sorted.entries()) {
    sum += slope * (turn.atUs - beforeUs) + turn.jump
    slope += turn.slope
    beforeUs = turn.atUs
    sums[index] = sum
    slopes[index] = slope
  }
  return (atUs) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.atUs ?? 0) <= atUs) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    return (sums[low - 1] ?? 0) + (slopes[low - 1] ?? 0) * (atUs - (sorted[low - 1]?.atUs ?? 0))
  }
}
