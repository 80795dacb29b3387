import { guardFormula } from '../formula-guard.ts'
import type { Measured } from '../csv.ts'
import { NOTHING_MEASURED, quoteCell, REQUESTS_CSV_COLUMNS } from '../csv.ts'
import { msText, nsAsMsText, tpotNs } from '../latency.ts'
import type { CohortRequest, ImportedCohort } from './cohort.ts'

type Cells = Readonly<Record<string, string | number | null>>

/**
 * requests.csv of an imported cohort: our columns with empty cells for what the tool's file lacks, and `origin` behind them. In a row
 * that is not ok the four measured columns are 0, as in the reference; the others hold what was observed.
 */
export function encodeImportedCsv(cohort: ImportedCohort): string {
  const columns = [...REQUESTS_CSV_COLUMNS, 'origin']
  let csv = `${columns.join(',')}\n`
  for (const request of cohort.requests) {
    const cells = cellsOf(request, cohort)
    csv += `${columns.map((name) => cells[name] ?? '').join(',')}\n`
  }
  return csv
}

function cellsOf(request: CohortRequest, { origin, originAtUs }: ImportedCohort): Cells {
  const fromStart = (atUs: number | null) => (atUs === null ? null : Math.round(atUs - (originAtUs ?? 0)))
  const [dueUs, sentUs] = [fromStart(request.dueAtUs), fromStart(request.sentAtUs)]
  const later = (us: number | null) => (us === null || sentUs === null ? null : sentUs + us)
  const [firstTokenUs, lastTokenUs] = [later(request.ttftUs), later(request.e2eUs)]
  const endUs = fromStart(request.endAtUs)
  const [ttft, tpot, e2e, outputTokens] = measured(request)
  return {
    request_id: text(request.id),
    class: quoteCell(request.class),
    ttft_ms: ttft,
    tpot_ms: tpot,
    e2e_ms: e2e,
    output_tokens: outputTokens,
    status: request.status,
    due_us: dueUs,
    sent_us: sentUs,
    first_token_us: firstTokenUs,
    last_token_us: lastTokenUs,
    // Rounded apart, the end could lie a microsecond before the last token.
    end_us: endUs === null ? null : Math.max(endUs, lastTokenUs ?? endUs),
    send_lag_ms: between(dueUs, sentUs),
    ttft_from_due_ms: between(dueUs, firstTokenUs),
    e2e_from_due_ms: between(dueUs, lastTokenUs),
    input_tokens: request.inputTokens,
    cached_tokens: request.cachedTokens,
    chunks: request.chunks,
    gap_p50_ms: ms(request.gapUs?.p50),
    gap_p95_ms: ms(request.gapUs?.p95),
    gap_max_ms: ms(request.gapUs?.max),
    http_status: request.httpStatus,
    error_code: request.errorCode,
    session: text(request.session),
    turn: request.turn,
    first_content_us: later(request.firstContentUs),
    observed_output_tokens: request.outputTokens,
    origin,
  }
}

function measured({ status, ttftUs, e2eUs, outputTokens }: CohortRequest): Measured {
  if (status !== 'ok' || ttftUs === null || e2eUs === null || outputTokens === null) return NOTHING_MEASURED
  return [msText(ttftUs), nsAsMsText(tpotNs(e2eUs - ttftUs, outputTokens)), msText(e2eUs), String(outputTokens)]
}

function between(fromUs: number | null, toUs: number | null): string | null {
  return fromUs === null || toUs === null ? null : msText(toUs - fromUs)
}

function ms(us: number | undefined): string | null {
  return us === undefined ? null : msText(us)
}

/** As `encodeRequestsCsv` writes text from outside. */
function text(value: string | null): string | null {
  return value === null ? null : quoteCell(guardFormula(value))
}
