import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRequest } from '../src/ingest/remote-write/encode.case.ts'
import type { NamespaceRecommendation } from '../src/recommendations/containers/schema.ts'
import { exampleRequest } from '../test/example-request.ts'
import { containerSeries, gib, hourMs, type PushedContainer, push } from '../test/pushed-cluster.ts'
import { ask, eventually, startService } from '../test/service.ts'
import { cpuSeconds } from './load.ts'
import { clusterSeries, valueAt } from './usage/cluster-stream.ts'

// npm run build:binary && node bench/own-requests.ts out/cheapside-linux-x64 [minutes, 5 by default]
// Derives the resources of deploy/kubernetes from our own recommendations. Runs the single executable, as the image
// does, as server and agent under load and measures both every ten seconds. Then sends two days of such usage to a
// second service, with each measurement standing for five minutes, and prints what it recommends for the two
// containers.

const program = resolve(process.argv[2] ?? 'out/cheapside-linux-x64')
const minutes = Number(process.argv[3] ?? 5)
const containers = 1000
const questionsPerSecond = 20
const everyMs = 10_000
const directory = mkdtempSync(join(tmpdir(), 'cheapside-own-'))
const children: ChildProcess[] = []

try {
  const measured = await measure()
  for (const [name, { cores, gib }] of measured)
    console.log(`${name}: measured ${range(cores, 3)} cores, ${range(gib, 3)} GiB over ${cores.length} looks`)
  await recommend(measured)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}

interface Measured {
  readonly pid: number
  readonly cores: number[]
  readonly gib: number[]
}

/** Runs the server with the load of a small cluster, and the agent, which sends to it. */
async function measure(): Promise<Map<string, Measured>> {
  const settings = {
    CHEAPSIDE_LISTEN: '127.0.0.1:0',
    CHEAPSIDE_DATA: directory,
    CHEAPSIDE_WATCH_SELF: 'false',
    CHEAPSIDE_REFRESH_HOURS: '0',
  }
  const server = start(['serve', '--json'], settings)
  let said = ''
  server.stdout!.on('data', (chunk) => {
    said += chunk
  })
  const [url, key] = await eventually(async () => {
    const found = [/"url":"([^"]+)"/, /"key":"([^"]+)"/].map((pattern) => pattern.exec(said)?.[1])
    return found.includes(undefined) ? undefined : (found as [string, string])
  })
  const keyFile = join(directory, 'key')
  writeFileSync(keyFile, key)
  const flags = ['--vm', 'node-1', '--without-metadata', '--spool', join(directory, 'spool')]
  const agent = start(['agent', '--to', url, '--key-file', keyFile, ...flags], {
    NODE_OPTIONS: '--max-semi-space-size=1',
  })
  const measured = new Map(
    Object.entries({ cheapside: server, agent }).map(([name, { pid }]) => [
      name,
      { pid: pid!, cores: [] as number[], gib: [] as number[] },
    ]),
  )
  const endMs = Date.now() + minutes * 60_000
  const isOver = () => Date.now() >= endMs
  await Promise.all([observe(measured, isOver), scrape(url, key, isOver), question(url, key, isOver)])
  return measured
}

function start(words: string[], env: Record<string, string>): ChildProcess {
  const options = { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'ignore'] as never }
  const child = spawn(program, words, options)
  children.push(child)
  return child
}

async function observe(measured: ReadonlyMap<string, Measured>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const before = [...measured.values()].map(({ pid }) => cpuSeconds(pid))
    const fromMs = performance.now()
    await sleep(everyMs)
    const seconds = (performance.now() - fromMs) / 1000
    for (const [index, { pid, cores, gib }] of [...measured.values()].entries()) {
      cores.push((cpuSeconds(pid) - before[index]!) / seconds)
      gib.push(residentGib(pid))
    }
  }
}

/** Sends what a Prometheus sends about the containers: a scrape every 30 seconds, half of which is not used. */
async function scrape(url: string, key: string, isOver: () => boolean): Promise<void> {
  const series = clusterSeries(containers)
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
  for (let turn = 0; !isOver(); turn++) {
    const timeMs = Date.now()
    for (let from = 0; from < series.length; from += 2000) {
      const part = series.slice(from, from + 2000).map((labels, index) => ({
        labels,
        samples: [{ timeMs, value: valueAt(labels[0]![1], from + index, turn) }],
      }))
      const body = Buffer.from(encodeRequest(part))
      await ask(url, '/api/v1/write', { method: 'POST', key, headers, body })
    }
    await sleep(Math.max(0, 30_000 - (Date.now() - timeMs)))
  }
}

async function question(url: string, key: string, isOver: () => boolean): Promise<void> {
  const body = exampleRequest()
  for (let turn = 0; !isOver(); turn++) {
    await ask(url, '/recommendations', { key, body })
    if (turn % (questionsPerSecond * 10) === 0) await ask(url, '/v1/namespace_recommendations', { key })
    await sleep(1000 / questionsPerSecond)
  }
}

async function recommend(measured: ReadonlyMap<string, Measured>): Promise<void> {
  const service = await startService()
  children.push(service.child)
  const toMs = Math.floor(Date.now() / hourMs) * hourMs
  const fromMs = toMs - 46 * hourMs
  for (const [name, { cores, gib }] of measured) {
    const owner = name === 'agent' ? 'DaemonSet/cheapside-agent' : 'Deployment/cheapside'
    const of: PushedContainer = {
      namespace: 'cheapside',
      pod: `${name}-1`,
      container: name,
      owner,
      cores,
      gib,
    }
    await push(service, service.key, containerSeries(of, { fromMs, toMs }))
  }
  const range = new URLSearchParams({
    start_date: new Date(fromMs).toISOString(),
    end_date: new Date(toMs).toISOString(),
  })
  const found = await eventually(async () => {
    const { json } = await service.request(`/v1/namespace_recommendations?${range}`)
    const [answer] = json as NamespaceRecommendation[]
    const all = Object.entries(answer?.ContainerRecommendations ?? {})
    return all.length === measured.size ? all : undefined
  })
  for (const [name, { CPU, Memory, Reasons }] of found) {
    const [cpu, memory] = [CPU.Requests, Memory.Requests]
    console.log(
      `${name}: request ${cpu.Recommended} cores (${cpu.LowerBound} to ${cpu.UpperBound}) and ${memory.Recommended} GiB (${memory.LowerBound} to ${memory.UpperBound})`,
    )
    for (const reason of Reasons) console.log(`  ${reason}`)
  }
  await service.stop()
}

function residentGib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) * 1024) / gib
}

function range(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`
}
