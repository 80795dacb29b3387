import type { MachineFinding } from './machine-findings.ts'

/** What this process has to work with; null for what the system does not tell. */
export interface ClientFacts {
  /** Its version: `24.22.3`. */
  node: string
  /** CPUs whose time it may use, by affinity and by its control group's quota; and all that there are. */
  cpus: number
  logicalCpus: number
  /** Files and connections that it may have open, and has. */
  descriptors: { limit: number; open: number } | null
  /** What the kernel reads the time from: `tsc`. */
  clockSource: string | null
  /** Ports that its own connections may take. */
  localPorts: number | null
  /** The port of an engine where no manifest says another: null where it is free, else who has it. */
  usualPort: { port: number; taken: string | null }
}

/** What a manifest asks of the client at its highest rate. */
export interface ClientLoad {
  rps: number
  eventsPerSecond: number
  /** Requests in flight at most, as long as each meets its cutoffs. */
  inFlight: number
  /** Events a second that a calibration of this client found at most; null where there is none of this load. */
  ceiling: number | null
}

/** Files of its own beside the connections: journals, telemetry, probes. */
const OWN_DESCRIPTORS = 64
/** What a first look asks for; service managers and shells mostly give so many. */
const USUAL_DESCRIPTORS = 1024
/** Read in the process itself, within tens of nanoseconds. */
const FAST_CLOCKS = new Set([
  'tsc',
  'kvm-clock',
  'arch_sys_counter',
  'xen',
  'hyperv_clocksource_tsc_page',
  'timebase',
  'tod',
])
/** A streamed event's cost on the machines that were measured, as docs/instrument.md bounds it; one core carries the main loop. */
const US_AN_EVENT = 25
/** No client is trusted with more than this share of what it carries. */
const TRUSTED_SHARE = 0.5

/** What speaks for and against measuring by this client. `load`: null where no manifest, or no rate, is stated. */
export function clientFindings(facts: ClientFacts, load: ClientLoad | null, neededNode: string): MachineFinding[] {
  return [
    { probe: 'node', state: 'pass', text: `Node ${facts.node}; ${neededNode} or newer is needed`, mend: null },
    cores(facts, load),
    descriptors(facts, load),
    localPorts(facts, load),
    clock(facts),
    ...(load === null ? [usualPort(facts)] : []),
  ]
}

function cores({ cpus, logicalCpus }: ClientFacts, load: ClientLoad | null): MachineFinding {
  const shared = { probe: 'cores', value: cpus, unit: 'CPUs' }
  const own = cpus === logicalCpus ? `${cpus} CPUs` : `${cpus} of ${logicalCpus} CPUs`
  if (cpus < 2) {
    const text = `${own}: client and engine take turns`
    return { ...shared, state: 'warn', text, mend: 'give the job two CPUs or more beside those of the engine' }
  }
  if (load === null) return { ...shared, state: 'pass', text: own, mend: null }
  const { rps, eventsPerSecond, ceiling } = load
  const most = ceiling ?? 1e6 / US_AN_EVENT
  const percent = Math.ceil((100 * eventsPerSecond) / most)
  const by = ceiling === null ? `by ${US_AN_EVENT} µs an event; calibrate measures it` : 'by its calibration'
  const text = `${own}; ${rps} requests/s are ${Math.round(eventsPerSecond)} events/s, ${percent} % of what its main loop carries (${by})`
  if (eventsPerSecond <= most * TRUSTED_SHARE) return { ...shared, state: 'pass', text, mend: null }
  const mend = 'lower the rates or the classes’ output_tokens, or measure on a machine with faster cores'
  return { ...shared, state: ceiling === null ? 'warn' : 'fail', text, mend }
}

function descriptors({ descriptors: seen }: ClientFacts, load: ClientLoad | null): MachineFinding {
  const probe = 'descriptors'
  if (seen === null) return { probe, state: 'unknown', text: 'the limit of open files cannot be read', mend: null }
  const needed = load === null ? USUAL_DESCRIPTORS : load.inFlight + seen.open + OWN_DESCRIPTORS
  const shared = { probe, value: seen.limit, limit: needed, unit: 'descriptors' }
  const why = load === null ? '' : `: up to ${load.inFlight} requests in flight at ${load.rps}/s, a connection each`
  if (seen.limit >= needed)
    return { ...shared, state: 'pass', text: `${shown(seen.limit)} may be open${why}`, mend: null }
  const text = `${seen.limit} may be open, and ${needed} are needed${why}`
  const mend = 'raise it: `ulimit -n 65536`, or LimitNOFILE=65536 of the runner’s service'
  return { ...shared, state: load === null ? 'warn' : 'fail', text, mend }
}

function shown(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : 'any number'
}

function localPorts({ localPorts: seen }: ClientFacts, load: ClientLoad | null): MachineFinding {
  const probe = 'local_ports'
  if (seen === null) return { probe, state: 'unknown', text: 'the range of local ports cannot be read', mend: null }
  const shared = { probe, value: seen, unit: 'ports' }
  if (load === null || seen >= load.inFlight)
    return { ...shared, state: 'pass', text: `${seen} for its connections`, mend: null }
  const text = `${seen} for its connections, and up to ${load.inFlight} requests are in flight at ${load.rps}/s`
  const mend = 'widen it: `sysctl net.ipv4.ip_local_port_range="1024 65535"`'
  return { ...shared, limit: load.inFlight, state: 'fail', text, mend }
}

function clock({ clockSource }: ClientFacts): MachineFinding {
  const probe = 'clock'
  if (clockSource === null)
    return { probe, state: 'unknown', text: 'what the kernel reads the time from is not told', mend: null }
  if (FAST_CLOCKS.has(clockSource)) return { probe, state: 'pass', text: `the kernel reads ${clockSource}`, mend: null }
  const text = `the kernel reads ${clockSource}, which takes it microseconds a time, or is coarse`
  const mend = 'see why it left tsc (`dmesg | grep -i clocksource`); in a virtual machine choose the host’s own clock'
  return { probe, state: 'warn', text, mend }
}

function usualPort({ usualPort: { port, taken } }: ClientFacts): MachineFinding {
  const probe = 'port'
  if (taken === null)
    return { probe, state: 'pass', text: `port ${port}, where an engine is started by default, is free`, mend: null }
  const text = `port ${port}, where an engine is started by default, is taken ${taken}`
  return {
    probe,
    state: 'warn',
    text,
    mend: 'stop what listens there, or set engine.deploy.first_port in the manifest',
  }
}
