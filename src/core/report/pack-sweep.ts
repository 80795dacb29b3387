import type { ReportContext } from './context.ts'

/** Where a record that is swept anew is put, in the commands shown. */
export const SWEPT = 'accepted-pack'

/** The command that sweeps what a pack's run measured, for a pack as a command names it. */
export function packSweep(pack: string, { hasSubjectFile }: Pick<ReportContext, 'hasSubjectFile'>): string {
  const subject = hasSubjectFile === true ? ` --subject ${pack}/subject.yaml` : ''
  return `capacity-gate run ${pack}/workload-manifest.yaml${subject} --plan sweep --pack ${SWEPT} --on-missing-baseline record`
}
