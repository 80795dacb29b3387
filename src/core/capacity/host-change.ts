/** What a record tells of its machine beside what must be equal. */
type Facts = Readonly<Record<string, string>>

/** A recorded fact by which a machine is another one, or no longer what it was. Null: not known. */
export interface HostDifference {
  key: string
  base: string | null
  now: string | null
}

type IsSame = (base: string, now: string) => boolean

const same: IsSame = (base, now) => base === now
/** What a kernel keeps for itself varies by some MiB. */
const MEMORY_SHARE = 0.01

const COUNTED: Readonly<Record<string, IsSame>> = {
  gpuDriver: same,
  gpuVbios: same,
  gpuClockMaxMhz: same,
  logicalCpus: same,
  memoryGib: (base, now) => same(base, now) || Math.abs(Number(now) / Number(base) - 1) <= MEMORY_SHARE,
  // A line's patches come every few weeks.
  kernel: (base, now) => kernelLine(base) === kernelLine(now),
}

/**
 * In what a machine differs from that of another record with the same must-equal hardware: it is told by its GPUs' UUIDs, where there are
 * none by its name; and it is another in effect with another driver, VBIOS, clock ceiling, kernel line, number of CPUs or memory. Empty
 * where it is the same. What one side does not know differs.
 */
export function hostDifferences(now: Facts, base: Facts): HostDifference[] {
  const [is, was] = [uuidsOf(now), uuidsOf(base)]
  const identity =
    is === null && was === null
      ? differing('hostname', knownFact(base, 'hostname'), knownFact(now, 'hostname'), same)
      : differing('gpuUuids', was, is, same)
  const rest = Object.entries(COUNTED).flatMap(([key, isSame]) =>
    differing(key, knownFact(base, key), knownFact(now, key), isSame),
  )
  return [...identity, ...rest]
}

/** Null for what was not found out: `unknown`, empty, or not there. */
export function knownFact(facts: Facts, key: string): string | null {
  const value = Object.hasOwn(facts, key) ? facts[key] : undefined
  return value === undefined || /^\s*(unknown)?\s*$/i.test(value) ? null : value
}

/** The differing facts in a line; with their values where they are short. */
export function hostDifferencesText(differences: readonly HostDifference[]): string {
  return differences
    .map(({ key, base, now }) => {
      const values = `${base ?? 'unknown'} → ${now ?? 'unknown'}`
      return values.length <= VALUES_MAX ? `${key} (${values})` : key
    })
    .join(', ')
}

const VALUES_MAX = 100

function differing(key: string, base: string | null, now: string | null, isSame: IsSame): HostDifference[] {
  if (base === null || now === null) return base === now ? [] : [{ key, base, now }]
  return isSame(base, now) ? [] : [{ key, base, now }]
}

/** In one order: the driver may number the same GPUs otherwise after a restart. */
function uuidsOf(facts: Facts): string | null {
  const told = knownFact(facts, 'gpuUuids')
  return told === null ? null : told.split(/,\s*/).toSorted().join(', ')
}

function kernelLine(release: string): string {
  return /^\d+\.\d+/.exec(release)?.[0] ?? release
}
