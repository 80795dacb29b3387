import type { CapacityRecord } from '../../src/core/capacity/record.ts'

/** A capacity record of the embedded engine without points: enough to be kept and found. */
export function capacityRecord(change: Partial<CapacityRecord> = {}): CapacityRecord {
  return {
    schema: 1,
    kind: 'simulated',
    layer: 'service',
    gateId: 'demo',
    tool: { version: '0.1.0', replayProtocol: 1 },
    createdAt: '2026-01-01T00:00:00.000Z',
    commit: null,
    experiment: { sha256: 'a'.repeat(64), value: { client: {} } },
    schedules: { cold: 'b'.repeat(64) },
    subject: { sha256: 'c'.repeat(64), name: 'fixture', version: '1.0', image: null, argv: ['node'], env: {} },
    identity: [],
    hardware: { mustEqual: { cpuModel: 'x', logicalCpus: '2', platform: 'linux-x64' }, recorded: {} },
    boots: [],
    capacity: [],
    selected: null,
    evidence: [],
    ...change,
  }
}
