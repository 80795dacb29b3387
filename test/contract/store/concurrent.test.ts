import { expect, it } from 'vitest'
import { branchStore } from '../../../src/adapters/store/branch.ts'
import { gitServer } from '../../fakes/git-server.ts'
import { promotion } from '../../fakes/promotion.ts'
import { capacityRecord } from '../../fakes/record.ts'

/** A few here; `PROMOTER_TRIALS=100` for the long run. */
const TRIALS = Number(process.env['PROMOTER_TRIALS'] ?? 3)

const key = { gateId: 'demo', kind: 'simulated' } as const

it(`two promoters at once lose no record in ${TRIALS} of ${TRIALS} trials`, { timeout: TRIALS * 60_000 }, async () => {
  const whole: number[] = []
  let pushes = 0
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    await using server = await gitServer()
    const place = { remote: { url: server.url, token: null }, branch: 'capacity-baselines', folder: '' }
    const promoter = () => branchStore(place, { env: { PATH: process.env['PATH'] } })
    const records = ['ada', 'ben'].map((name, index) =>
      capacityRecord({
        createdAt: `2026-01-0${index + 1}T00:00:00.000Z`,
        subject: { ...capacityRecord().subject, name },
      }),
    )
    await Promise.all(records.map((record) => promoter().accept(record, () => promotion())))
    const kept = await promoter().history(key)
    const commits = server.git('rev-list', '--count', 'capacity-baselines').trim()
    const numbers = server.git('ls-tree', '-r', '--name-only', 'capacity-baselines').match(/promotions\/\d+/g)
    if (JSON.stringify(kept) === JSON.stringify(records) && commits === '2' && numbers?.length === 2) whole.push(trial)
    pushes += server.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('git-receive-pack'),
    ).length
  }
  process.stderr.write(`promoters: ${whole.length} of ${TRIALS} trials whole, ${pushes} pushes sent\n`)
  expect(whole).toHaveLength(TRIALS)
})
