import { parseKernelLog } from '../../core/telemetry/gpu-xid.ts'
import type { KernelLog } from '../../core/telemetry/machine-line.ts'
import { boundedCommand } from './bounded-command.ts'

const DEADLINE_MS = 5000

/**
 * The kernel's log by `dmesg`, else by the journal; null where neither may be read (most systems keep it from ordinary users). The journal
 * shows an ordinary user its own entries and no kernel's: an empty answer is none.
 */
export async function readKernelLog(): Promise<KernelLog | null> {
  const dmesg = await boundedCommand('dmesg').run([], DEADLINE_MS)
  if (dmesg.why === null) return parseKernelLog(dmesg.stdout)
  const arguments_ = ['--dmesg', '--boot', '--output=short-monotonic', '--no-pager', '--quiet', '--lines=20000']
  const journal = await boundedCommand('journalctl').run(arguments_, DEADLINE_MS)
  const isTold = journal.why === null && /^\[\s*\d+\.\d+\]/m.test(journal.stdout)
  return isTold ? parseKernelLog(journal.stdout) : null
}
