// The null server, as a process of its own: started by the calibration, it ends when that goes away.
import { NullServer } from '../adapters/calibration/null-server.ts'
import type { NullServerOrder, NullServerPlan, NullServerReply } from '../adapters/calibration/null-server.ts'

const reply = (said: NullServerReply): void => void process.send?.(said)

process.on('disconnect', () => process.exit())
const server = new NullServer(JSON.parse(process.argv[2] ?? '') as NullServerPlan)
process.on('message', (order: NullServerOrder) => {
  if ('ask' in order) return reply({ log: server.takeLog() })
  server.order(order.answers)
  reply({ accepted: order.answers.length })
})
reply({ port: await server.listen() })
