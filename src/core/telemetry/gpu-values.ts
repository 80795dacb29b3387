/** What nvidia-smi writes in place of a value that it does not have. */
const NO_VALUE =
  /^(?:|n\/a|\[.*\]|none|unknown.*|(?:function )?not (?:supported|found|available).*|err!.*|insufficient permissions.*|requested functionality.*|(?:gpu )?(?:is lost|requires reset).*)$/i

/** No name, version or path that it writes is longer. */
const LONGEST = 1000

/** A value as written, cut where it has no end; null for what is none. */
export function smiText(text: string | null | undefined): string | null {
  const value = text?.trim().slice(0, LONGEST) ?? ''
  return NO_VALUE.test(value) ? null : value
}

/** A GPU's or a partition's UUID; null for what is none. */
export function smiUuid(text: string | null | undefined): string | null {
  const value = text?.trim() ?? ''
  return /^(?:GPU|MIG)-[\w/-]{1,150}$/.test(value) ? value : null
}

/** A process id; null for what is none. */
export function smiPid(text: string | null | undefined): number | null {
  const value = text?.trim() ?? ''
  return /^\d{1,10}$/.test(value) ? Number(value) : null
}

/** The number of `81559 MiB`, `700.00 W`, `41 C`, `26.562 GB/s`; null for what is none. Units are nvidia-smi's own and fixed by field. */
export function smiNumber(text: string | null | undefined): number | null {
  const value = smiText(text)
  if (value === null) return null
  const found = /^(-?\d+(?:\.\d+)?)(?:\s*[A-Za-z%][A-Za-z/%()]*)?$/.exec(value)
  const number = Number(found?.[1] ?? Number.NaN)
  return Number.isFinite(number) ? number : null
}

/** `Yes` and `No`; older drivers count. */
export function smiFlag(text: string | null | undefined): boolean | null {
  const value = smiText(text)?.toLowerCase()
  if (value === 'yes' || value === '1') return true
  return value === 'no' || value === '0' ? false : null
}

/** A bus id as the kernel's log writes it, without the function: `00000000:19:00.0` and `PCI:0000:19:00` are `0000:19:00`. */
export function busName(text: string | null | undefined): string | null {
  const found = /([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})(?:\.[0-9a-f])?$/i.exec(text?.trim() ?? '')
  return found ? `${found[1]}:${found[2]}:${found[3]}`.toLowerCase() : null
}
