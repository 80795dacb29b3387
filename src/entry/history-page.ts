import { readHistory } from '../core/history/lines.ts'
import { trendsOf } from '../core/history/trend.ts'
import { renderTrendPage } from '../core/report/trend/page.ts'
import { TOOL_VERSION } from './version.ts'

/** The page of a history's text. */
export function drawPage(text: string): string {
  const { points, faults } = readHistory(text)
  return renderTrendPage({ trends: trendsOf(points), faults, toolVersion: TOOL_VERSION })
}
