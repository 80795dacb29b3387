/** The bits of NVML's clocks-event reasons (nvml.h), by the names that nvidia-smi gives them. */
const BITS: readonly (readonly [bit: number, name: string])[] = [
  [0x1, 'gpu_idle'],
  [0x2, 'applications_clocks_setting'],
  [0x4, 'sw_power_cap'],
  [0x8, 'hw_slowdown'],
  [0x10, 'sync_boost'],
  [0x20, 'sw_thermal_slowdown'],
  [0x40, 'hw_thermal_slowdown'],
  [0x80, 'hw_power_brake_slowdown'],
  [0x100, 'display_clocks_setting'],
]
const KNOWN = BITS.reduce((mask, [bit]) => mask | bit, 0)

/** Of the bitmask; a bit that has no name yet is `bit_0x200` and so on. */
export function reasonNames(mask: number): string[] {
  const names = BITS.filter(([bit]) => (mask & bit) !== 0).map(([, name]) => name)
  const rest = mask & ~KNOWN
  return rest === 0 ? names : [...names, `bit_0x${(rest >>> 0).toString(16)}`]
}

/** Clocks were held down by heat or by hardware that protects itself: such a point says nothing of the engine. */
export const SLOWDOWNS = [
  'hw_thermal_slowdown',
  'sw_thermal_slowdown',
  'hw_power_brake_slowdown',
  'hw_slowdown',
] as const

/** The power limit holds the clocks: normal at full load. */
export const POWER_CAP = 'sw_power_cap'
export const IDLE = 'gpu_idle'
