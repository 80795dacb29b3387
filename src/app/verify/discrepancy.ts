/** One thing in a pack that does not follow from its raw files. */
export interface Discrepancy {
  /** Stable: `checksum`, `unlisted`, `missing`, `schedule`, `slo_report`, `point`, `selected`, `capacity`, `verdict`, `report` … */
  code: string
  path: string
  text: string
}
