import { historyBranch } from '../../../src/adapters/store/history-branch.ts'
import { addToHistory } from '../../../src/app/history.ts'
import { PAGE_MARK } from '../../../src/core/report/trend/page.ts'
import { readHistory } from '../../../src/core/history/lines.ts'
import { gitServer } from '../../fakes/git-server.ts'
import { historyPoint, night } from '../../unit/history/point-fixture.ts'

export interface WritersEnd {
  /** Every run of both is in the history, once, and one commit each made it. */
  isWhole: boolean
  /** Pushes that were sent for two runs: more than two, where they met. */
  pushes: number
}

/** Two jobs add a run each to a branch's history at the same time, behind git's own HTTP server. */
export async function writersTrial(): Promise<WritersEnd> {
  await using server = await gitServer()
  const address = { remote: { url: server.url, token: null }, branch: 'capacity-history', folder: '' }
  const options = { env: { PATH: process.env['PATH'] }, drawPage: (text: string) => `${PAGE_MARK}\n${text}` }
  const points = [0, 1].map((index) => historyPoint({ at: night(index) }))
  await Promise.all(points.map((point) => addToHistory(historyBranch(address, options), [point])))
  const text = server.git('show', 'capacity-history:history.jsonl')
  const kept = readHistory(text).points.map(({ at }) => at)
  const isWhole =
    JSON.stringify(kept.toSorted()) === JSON.stringify(points.map(({ at }) => at)) &&
    server.git('show', 'capacity-history:index.html') === `${PAGE_MARK}\n${text}` &&
    server.git('rev-list', '--count', 'capacity-history').trim() === '2'
  const pushes = server.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('git-receive-pack'))
  return { isWhole, pushes: pushes.length }
}
