import { afterAll, beforeAll, describe, expect } from 'vitest'
import { encodeRequest, type SeriesToWrite } from '../src/ingest/remote-write/encode.case.ts'
import type { NamespaceRecommendation } from '../src/recommendations/containers/schema.ts'
import type { Peer } from './peers/peer-process.ts'
import { startPostgres, type TestPostgres } from './peers/postgres.ts'
import { startPrometheus } from './peers/prometheus.ts'
import { testWith } from './peers/test-with.ts'
import { containerSeries, hourMs, nodeSeries, type PushedContainer, seriesOf } from './pushed-cluster.ts'
import { eventually, type RunningService, startService } from './service.ts'
import { trace } from './usage-trace.ts'

const test = testWith('prometheus')

/** Thirty complete hours in the past, and a little more so that the last one is complete. */
const hours = 30
const toMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs
const fromMs = toMs - hours * hourMs
const steps = hours * 12

/** Traces of real machines, scaled down: two replicas of an eighth, one of a quarter. */
const machine = (index: number, part: number) => ({
  cores: trace[index]!.millicores.map((value) => value / 1000 / part),
  gib: trace[index]!.mib.map((value) => value / 1024 / part),
})
const web = { requests: { cpu: 2, memoryGib: 4 }, limits: { cpu: 4, memoryGib: 8 } }
const shop = [
  { pod: 'web-1', ...machine(0, 8), ...web },
  { pod: 'web-2', ...machine(1, 8), ...web },
  { pod: 'db-0', owner: 'StatefulSet/db', ...machine(2, 4), requests: { cpu: 0.5, memoryGib: 4 } },
] as const satisfies readonly PushedContainer[]

let prometheus: Peer
let postgres: TestPostgres
beforeAll(async () => {
  prometheus = await startPrometheus()
  postgres = await startPostgres()
  const quota = (resource: string, value: number) =>
    seriesOf('kube_resourcequota', { namespace: 'shop', resourcequota: 'all', type: 'hard', resource }, [
      { timeMs: toMs, value },
    ])
  const all = [
    ...shop.flatMap((one) => containerSeries(one, { fromMs, toMs: toMs + 300_000 })),
    ...nodeSeries({ name: 'n1', cores: 16, gib: 64 }, toMs),
    quota('limits.cpu', 20),
    quota('requests.memory', 32 * 2 ** 30),
  ].map(withoutCluster)
  for (let from = fromMs; from <= toMs; from += hourMs) {
    const series = all.flatMap(({ labels, samples }) => {
      const due = samples.filter(({ timeMs }) => timeMs >= from && timeMs < from + hourMs)
      return due.length === 0 ? [] : [{ labels, samples: due }]
    })
    const { status } = await fetch(`${prometheus.url}/api/v1/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
      body: Buffer.from(encodeRequest(series)),
    })
    expect(status).toBe(204)
  }
})
afterAll(() => Promise.all([prometheus?.stop(), postgres?.stop()]))

/** A Prometheus inside a cluster does not know the name of the cluster; the collector adds it. */
const withoutCluster = ({ labels, samples }: SeriesToWrite): SeriesToWrite => ({
  labels: labels.filter(([name]) => name !== 'cluster'),
  samples,
})

const at = (values: readonly number[], step: number): number => values[step % values.length]!
const sumOver = (count: number, of: (index: number) => number): number =>
  Array.from({ length: count }, (_, index) => of(index)).reduce((a, b) => a + b, 0)
/** The value that usage did not exceed for this share of the time. */
const percentile = (share: number, ...all: readonly (readonly number[])[]): number => {
  const values = all.flatMap((of) => Array.from({ length: steps }, (_, step) => at(of, step)))
  return values.sort((a, b) => a - b)[Math.ceil(share * values.length) - 1]!
}
const usd = { core: 0.031611, gib: 0.004237 }

/** Sum over hours of max(request, mean usage) x price. */
function spend({ cores, gib }: (typeof shop)[number], request: { cpu: number; memory: number }): number {
  const mean = (of: readonly number[], hour: number) => sumOver(12, (step) => at(of, hour * 12 + step)) / 12
  return sumOver(
    hours,
    (hour) =>
      Math.max(request.cpu, mean(cores, hour)) * usd.core +
      Math.max(request.memory, mean(gib, hour)) * usd.gib,
  )
}

describe.each(['SQLite', 'PostgreSQL'])('traces through Prometheus into %s', (database) => {
  let service: RunningService
  let answer: NamespaceRecommendation
  const ask = async (profile: string): Promise<NamespaceRecommendation[]> => {
    const [start, end] = [fromMs, toMs].map((ms) => encodeURIComponent(new Date(ms).toISOString()))
    const window = `start_date=${start}&end_date=${end}`
    return (await service.request(`/v1/namespace_recommendations?${window}&profile=${profile}`)).json
  }
  beforeAll(async () => {
    service = await startService({
      env: {
        ...(database === 'PostgreSQL' ? { DATABASE_URL: await postgres.createDatabase() } : {}),
        CHEAPSIDE_COLLECT_FROM: `c1=${prometheus.url}`,
        CHEAPSIDE_COLLECT_DAYS: '2',
        CHEAPSIDE_RATE_LIMIT: '0',
      },
    })
    // The rules of this policy are public, so the expected sizes can be calculated: p95 of CPU, 1.15 x the highest memory.
    answer = await eventually(async () => {
      const [found] = await ask('krr-simple')
      if (found === undefined || found.ResourceQuotaRecommendations.Memory.Current === 0) return false
      return found.CurrentSpend > expected.now - 1e-3 && found
    })
  })
  afterAll(() => service?.stop())

  const [one, two, db] = shop
  const mib = (gib: number): number => Math.ceil(gib * 1024) / 1024
  const memory = {
    web: mib(1.15 * Math.max(...one.gib, ...two.gib)),
    db: mib(1.15 * Math.max(...db.gib)),
  }
  const cpu = { web: percentile(0.95, one.cores, two.cores), db: percentile(0.95, db.cores) }
  const set = { web: { cpu: 2, memory: 4 }, db: { cpu: 0.5, memory: 4 } }
  const expected = { now: spend(one, set.web) + spend(two, set.web) + spend(db, set.db) }

  test('sizes', () => {
    const { 'Deployment/web/app': ofWeb, 'StatefulSet/db/app': ofDb } = answer.ContainerRecommendations
    // A percentile of a digest is up to 1% off; the highest memory is exact.
    expect(ofWeb!.CPU.Requests.Recommended! / cpu.web).toBeCloseTo(1, 1.7)
    expect(ofDb!.CPU.Requests.Recommended! / cpu.db).toBeCloseTo(1, 1.7)
    expect(ofWeb!.Memory.Requests.Recommended).toBeCloseTo(memory.web, 5)
    expect(ofDb!.Memory.Requests.Recommended).toBeCloseTo(memory.db, 5)
    expect(ofWeb!.Replicas).toEqual({ Current: 2, Highest: 2, AutoscalerMaximum: null })
  })

  test('spend', () => {
    const { 'Deployment/web/app': ofWeb, 'StatefulSet/db/app': ofDb } = answer.ContainerRecommendations
    const then = {
      web: { cpu: ofWeb!.CPU.Requests.Recommended!, memory: memory.web },
      db: { cpu: ofDb!.CPU.Requests.Recommended!, memory: memory.db },
    }
    const after = spend(one, then.web) + spend(two, then.web) + spend(db, then.db)
    expect(answer.CurrentSpend).toBeCloseTo(expected.now, 4)
    expect(answer.NewSpend).toBeCloseTo(after, 4)
    expect(answer.TotalResourceSavingsAmount).toBeCloseTo(expected.now - after, 4)
  })

  test('totals and quota', () => {
    const { 'Deployment/web/app': ofWeb, 'StatefulSet/db/app': ofDb } = answer.ContainerRecommendations
    const [webCpu, dbCpu] = [ofWeb, ofDb].map((of) => of!.CPU.Requests.Recommended!) as [number, number]
    expect(answer).toMatchObject({
      TotalCPURequests: 4.5,
      TotalCPULimits: 8,
      TotalMemoryRequests: 12,
      TotalMemoryLimits: 16,
    })
    expect(answer.TotalCPURequestsSavings).toBeCloseTo(4.5 - 2 * webCpu - dbCpu, 5)
    expect(answer.TotalCPULimitsSavings).toBeCloseTo(8 - 2 * (2 * webCpu), 5)
    expect(answer.TotalMemoryRequestsSavings).toBeCloseTo(12 - 2 * memory.web - memory.db, 5)
    expect(answer.TotalMemoryLimitsSavings).toBeCloseTo(16 - 2 * (2 * memory.web), 5)
    // The quota of CPU is on limits, which are twice the requests of web; db has none, so its requests count. That of memory is on
    // requests. Each has a quarter more.
    const { CPU, Memory } = answer.ResourceQuotaRecommendations
    expect([CPU.Current, Memory.Current]).toEqual([20, 32])
    expect(CPU.Recommended).toBeCloseTo(1.25 * (2 * 2 * webCpu + dbCpu), 4)
    expect(Memory.Recommended).toBeCloseTo(1.25 * (2 * memory.web + memory.db), 4)
  })

  test('profiles have the same current spend, and a safer one has no lower new spend', async () => {
    const found = await Promise.all(['cost', 'balanced', 'safe'].map(async (name) => (await ask(name))[0]!))
    for (const { CurrentSpend } of found) expect(CurrentSpend).toBeCloseTo(expected.now, 4)
    const [cost, balanced, safe] = found.map(({ NewSpend }) => NewSpend) as [number, number, number]
    expect(balanced).toBeGreaterThanOrEqual(cost)
    expect(safe).toBeGreaterThanOrEqual(balanced)
    expect(found[1]!.ContainerRecommendations['StatefulSet/db/app']!.Reasons).toContain(
      'Only 2 days of history: bounds are wide.',
    )
  })
})
