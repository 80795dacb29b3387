import { planReplicas } from '../../core/capacity/replicas.ts'
import type { ReplicaNeed, ReplicaPlan } from '../../core/capacity/replicas.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { showNumber } from '../../core/manifest/finding.ts'
import type { AddCommand } from '../command.ts'
import { example, positiveNumber, wholeNumber, wholeNumberOrZero } from '../command.ts'

export const addPlan: AddCommand = (program, desk) => {
  program
    .command('plan')
    .description('Replicas and GPUs for a peak, from a measured capacity: an estimate.')
    .requiredOption('--capacity-rps <c>', 'the measured SLO-compliant capacity, requests a second', positiveNumber)
    .requiredOption('--replicas <n>', 'with how many replicas it was measured', wholeNumber)
    .requiredOption('--gpus-per-replica <g>', 'GPUs of one replica', wholeNumberOrZero)
    .requiredOption('--peak-rps <p>', 'the peak that is to be carried, requests a second', positiveNumber)
    .requiredOption('--utilization <u>', 'the share of the capacity that may be used at the peak', positiveNumber)
    .addHelpText(
      'after',
      example(
        'capacity-gate plan --capacity-rps 24 --replicas 4 --gpus-per-replica 2 --peak-rps 36 --utilization 0.75',
      ),
    )
    .action((need: ReplicaNeed) => {
      const plan = planReplicas(need)
      desk.finish({ exitCode: EXIT.ok, text: planText(need, plan), json: plan })
    })
}

function planText(need: ReplicaNeed, plan: ReplicaPlan): string {
  const share = `${showNumber(need.utilization * 100)} %`
  return [
    `ESTIMATE: ${showNumber(plan.requiredReplicas)} replicas and ${showNumber(plan.requiredGpus)} GPUs for ${showNumber(need.peakRps)} RPS at ${share} of the capacity`,
    `  a replica carries ${showNumber(plan.perReplicaRps)} RPS; the measured ${showNumber(need.replicas)} carry ${showNumber(plan.currentCarryRps)} RPS at ${share}`,
    '  linear in replicas: measure the larger topology before relying on it',
  ].join('\n')
}
