import type { Blame } from '../kernel/evidence.ts'
import { busName } from './gpu-values.ts'
import type { KernelLog, XidLine } from './machine-line.ts'

/**
 * Whom an Xid blames, after NVIDIA's Xid catalog. Engine: faults of the program on the GPU (an illegal access, an invalid command stream,
 * a software-induced end), for which the catalog asks to look at the application. Null: told, and nobody's fault by itself: a clean-up, a
 * row remapped, a test, a summary of another Xid. Every other is the hardware's or the driver's: the host's.
 */
const ENGINES: ReadonlySet<number> = new Set([8, 11, 13, 25, 31, 43, 44, 69, 137])
const NOBODYS: ReadonlySet<number> = new Set([14, 45, 63, 92, 93, 106, 107, 121, 154])

export function xidBlame({ of, code, text }: Pick<XidLine, 'of' | 'code' | 'text'>): Blame | null {
  // A switch says itself which of its errors end anything.
  if (of === 'switch') return /\bnon-fatal\b/i.test(text) ? null : 'host'
  if (ENGINES.has(code)) return 'engine'
  return NOBODYS.has(code) ? null : 'host'
}

const TITLES: Readonly<Record<number, string>> = {
  13: 'graphics engine exception',
  31: 'memory page fault',
  43: 'stopped by a software fault',
  45: 'clean-up after an end',
  48: 'double-bit ECC error',
  62: 'micro-controller halt',
  63: 'row remapped',
  64: 'row remapping failed',
  74: 'NVLink error',
  79: 'fell off the bus',
  92: 'many corrected ECC errors',
  94: 'contained memory error',
  95: 'uncontained memory error',
  109: 'context switch timeout',
  119: 'GSP timeout',
  120: 'GSP error',
  140: 'unrecovered ECC error',
}

/** `Xid 79 (fell off the bus)`. */
export function xidName({ of, code }: Pick<XidLine, 'of' | 'code'>): string {
  if (of === 'switch') return `SXid ${code}`
  const title = TITLES[code]
  return title === undefined ? `Xid ${code}` : `Xid ${code} (${title})`
}

const XIDS_MAX = 200
const OOM_MAX = 50
/** dmesg `[ 12.345] …`, also after a level `<4>`; journalctl's short-monotonic adds host and `kernel:`; /dev/kmsg `4,1,12345,-;…`. */
const BRACKETED = /^(?:<\d+>)?\[\s*(\d+\.\d+)\]\s*(.*)$/
const RECORD = /^\d+,\d+,(\d+),[^;]*;(.*)$/
const XID = /NVRM: Xid \((?:PCI:)?([0-9a-f:.]+)\): (\d{1,5})(?:, *(.*))?$/i
const SXID = /SXid \((?:PCI:)?([0-9a-f:.]+)\): (\d{1,7})(?:, *(.*))?$/i
const LOST_GPU = /NVRM: The NVIDIA GPU ([0-9a-f:.]+)/i
const LOST = /fallen off the bus and is not responding/i
const OOM = /(?:Memory cgroup out of memory|Out of memory): Killed process \d+.*$/

/**
 * Xids, a switch's SXids and the kernel's kills for want of memory, from the text of `dmesg`, `journalctl -k -o short-monotonic` or
 * /dev/kmsg; the latest of each where there are many. A GPU that newer drivers report lost over three lines is Xid 79.
 */
export function parseKernelLog(text: string): KernelLog {
  const xids: XidLine[] = []
  const oomKills: string[] = []
  let named: string | null = null
  for (const line of text.split('\n')) {
    const { atSeconds, message } = timed(line)
    const lost = LOST_GPU.exec(message)
    if (lost) named = busName(lost[1])
    if (LOST.test(message) && named !== null) {
      xids.push({ atSeconds, of: 'gpu', code: 79, bus: named, text: 'fallen off the bus and is not responding' })
      named = null
      continue
    }
    const found = XID.exec(message)
    const switched = found ? null : SXID.exec(message)
    const [, at, code, said = ''] = found ?? switched ?? []
    const bus = busName(at)
    if (bus !== null) {
      xids.push({
        atSeconds,
        of: found ? 'gpu' : 'switch',
        code: Number(code),
        bus,
        text: said.trim().slice(0, 300),
      })
    }
    const killed = OOM.exec(message)
    if (killed) oomKills.push(killed[0].slice(0, 300))
  }
  return { xids: xids.slice(-XIDS_MAX), oomKills: oomKills.slice(-OOM_MAX) }
}

function timed(line: string): { atSeconds: number | null; message: string } {
  const bracketed = BRACKETED.exec(line)
  if (bracketed) return { atSeconds: Number(bracketed[1]), message: bracketed[2] ?? '' }
  const record = RECORD.exec(line)
  return record ? { atSeconds: Number(record[1]) / 1e6, message: record[2] ?? '' } : { atSeconds: null, message: line }
}

/** What stands in the later log and did not in the earlier one. Equal lines are counted: the same error may come twice. */
export function newXids(before: KernelLog, after: KernelLog): XidLine[] {
  const key = ({ atSeconds, of, code, bus, text }: XidLine) => [atSeconds, of, code, bus, text].join('\n')
  const seen = new Map<string, number>()
  for (const xid of before.xids) seen.set(key(xid), (seen.get(key(xid)) ?? 0) + 1)
  return after.xids.filter((xid) => {
    const left = seen.get(key(xid)) ?? 0
    if (left > 0) seen.set(key(xid), left - 1)
    return left === 0
  })
}
