// The embedded engine's own speed: virtual time, and CPU in real time. node bench/engine.ts
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { exampleRequests, prewarmRequests } from '../fixtures/engine/model/example-schedule.ts'
import { QUIET } from '../fixtures/engine/model/parameters.ts'
import { bootReplicas, simulatePoint } from '../fixtures/engine/model/point.ts'
import { ReplicaModel } from '../fixtures/engine/model/replica.ts'
import { newSequence } from '../fixtures/engine/model/sequence.ts'
import { WORKED_EXAMPLE_8XH100 } from '../fixtures/engine/model/worked-example.ts'

const noises = [1, 2, 3, 4].map((seed) => ({ ...QUIET, seed, jitter: 0.03 }))

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] as number
}

function virtualPoint(rateRps: number, warm: boolean): void {
  const requests = exampleRequests({ seed: 1, rateRps, warm, timeoutUs: 120e6 })
  let steps = 0
  let virtualSeconds = 0
  const times = [0, 1, 2, 3, 4].map(() => {
    const replicas = bootReplicas(WORKED_EXAMPLE_8XH100, noises)
    if (warm) simulatePoint({ replicas, requests: prewarmRequests(4) })
    const startMs = performance.now()
    const point = simulatePoint({ replicas, requests })
    steps = point.steps
    virtualSeconds = point.endUs / 1e6
    return performance.now() - startMs
  })
  const ms = median(times)
  const speed = Math.round(virtualSeconds / (ms / 1000))
  const step = Math.round((ms * 1e6) / steps)
  console.log(
    `virtual point  ${warm ? 'warm' : 'cold'} ${rateRps} RPS, 22,000 requests: ${ms.toFixed(0)} ms = ${speed} × real time, ${step} ns a step`,
  )
}

/** Nanoseconds of one decode step that nobody joins or leaves. */
function quietStepNs(batch: number): number {
  const replica = new ReplicaModel({ ...WORKED_EXAMPLE_8XH100, kvBlocks: 1_000_000, maxModelLen: 400_000 }, QUIET)
  for (let index = 0; index < batch; index += 1) {
    replica.submit(newSequence({ promptTokens: 16, outputTokens: 300_000, blockKeys: [], arrivalUs: 0 }))
  }
  let nowUs = 0
  const run = (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      nowUs = replica.beginStep(nowUs)
      replica.finishStep()
    }
  }
  run(20_000)
  const startMs = performance.now()
  run(40_000)
  return ((performance.now() - startMs) * 1e6) / 40_000
}

/** Opens a connection that asks for one long stream again and again and throws the bytes away. */
function drink(port: number, socket: Socket): void {
  const body = `{"prompt":[1,2,3],"max_tokens":500,"ignore_eos":true,"stream":true,"stream_options":{"include_usage":true}}`
  const head = `POST /v1/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`
  const request = `${head}content-length: ${body.length}\r\n\r\n${body}`
  socket.on('data', (chunk: Buffer) => {
    if (chunk.includes('[DONE]')) socket.write(request)
  })
  socket.on('error', () => undefined)
  socket.write(request)
}

async function scrape(port: number): Promise<{ cpuSeconds: number; tokens: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    )
  return { cpuSeconds: value('process_cpu_seconds_total'), tokens: value('vllm:generation_tokens_total') }
}

async function realServer(streams: number, baseUs: number): Promise<void> {
  const flags = ['--port', '0', '--slots', String(streams), '--base-us', String(baseUs)]
  const costs = ['--per-decode-sequence-us', '0', '--per-context-token-us', '0', '--kv-blocks', '16384']
  const startMs = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/engine/main.ts'), ...flags, ...costs])
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const startedMs = performance.now() - startMs
  const port = Number(/:(\d+)\s*$/.exec(line.toString())?.[1])
  const sockets = Array.from({ length: streams }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) drink(port, socket)
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const before = await scrape(port)
  const fromMs = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const after = await scrape(port)
  const seconds = (performance.now() - fromMs) / 1000
  for (const socket of sockets) socket.destroy()
  child.kill('SIGTERM')
  await once(child, 'exit')
  const tokens = (after.tokens - before.tokens) / seconds
  const cores = (after.cpuSeconds - before.cpuSeconds) / seconds
  const asked = (streams * 1e6) / baseUs
  console.log(
    `real server    ${streams} streams: ${Math.round(tokens)} tokens/s (${(tokens / asked).toFixed(3)} of asked), ${cores.toFixed(2)} cores = ${((cores / tokens) * 10_000).toFixed(2)} cores for 10,000 tokens/s; ready after ${startedMs.toFixed(0)} ms`,
  )
}

for (const rate of [20, 24, 28]) virtualPoint(rate, false)
virtualPoint(24, true)
const rounds = [0, 1, 2, 3, 4]
const pairs = rounds.map(() => [quietStepNs(8), quietStepNs(256)] as const)
const small = Math.min(...pairs.map(([one]) => one))
const large = Math.min(...pairs.map(([, one]) => one))
console.log(`quiet step     batch of 256 : batch of 8 = ${(large / small).toFixed(2)} (${small.toFixed(0)} ns)`)
await realServer(8, 8000)
await realServer(64, 6400)
