/** One thing that was looked at. */
export interface DoctorFinding {
  /** `part.detail`, e.g. `cache.reset`. */
  probe: string
  /** unknown: it is not there, or does not tell. */
  state: 'pass' | 'fail' | 'unknown'
  /** Without it nothing can be measured, or evidence that a manifest requires by default stays unknown. */
  required: boolean
  /** What was seen. */
  text: string
  /** What its lack costs; null where it lacks nothing. */
  cost: string | null
  /** How to mend it; null where there is nothing to mend, or no way. */
  mend: string | null
}

export interface DoctorReport {
  /** What the section looked at. */
  title: string
  /** Lines for people, ahead of the findings. */
  summary: readonly string[]
  findings: readonly DoctorFinding[]
  /** The same and more for programs. */
  facts: Readonly<Record<string, unknown>>
}

/** Something that the doctor can look at: an endpoint, this machine. Never throws for what it finds. */
export interface DoctorSection {
  examine(signal: AbortSignal): Promise<DoctorReport>
}

export interface Diagnosis {
  /** Every required finding of every section passes. */
  usable: boolean
  sections: readonly DoctorReport[]
}

/** Examines one section after the other: what one sends must not disturb what another reads. */
export async function doctor(sections: readonly DoctorSection[], signal: AbortSignal): Promise<Diagnosis> {
  const reports: DoctorReport[] = []
  for (const section of sections) reports.push(await section.examine(signal))
  const usable = reports.every(({ findings }) => findings.every(({ required, state }) => !required || state === 'pass'))
  return { usable, sections: reports }
}
