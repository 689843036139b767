import { expect, test } from 'vitest'
import type { NodePrice } from '../../costs/allocation/nodes.ts'
import type { Store } from '../../store/port.ts'
import { withTestStore } from '../../store/test-store.case.ts'
import { firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { everyNamespace, sizeNamespaces } from '../containers/size-namespaces.ts'
import { depsAt, storePods } from '../containers/test-namespaces.case.ts'
import { NamespaceRows } from './rows/namespace-rows.ts'
import { type RecommendationRow, TopRows } from './rows/recommendation-row.ts'
import type { Recommendation } from './schema.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

const days = 14
const toHour = firstHour + days * 24
const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: null, source: 'list' } as const
/** A pod of the right size that is seen all the time. */
const other: SyntheticPod = {
  pod: 'other-1',
  workload: 'Deployment/other',
  cores: 0.3,
  gib: 0.5,
  cpuRequest: 0.35,
  memoryRequest: 0.55,
}
const web: SyntheticPod = {
  ...other,
  pod: 'web-1',
  workload: 'Deployment/web',
  cpuRequest: 4,
  memoryRequest: 1,
}

/** Recommendations by workload, from what ran in two weeks. That a workload is idle comes before its sizes. */
const advise = (organisation: string, ...pods: SyntheticPod[]) => adviseAt(price, organisation, ...pods)

async function adviseAt(
  nodePrice: NodePrice,
  organisation: string,
  ...pods: SyntheticPod[]
): Promise<Map<string, Recommendation>> {
  await storePods(store, organisation, [...pods, other], days)
  const top = new TopRows<RecommendationRow>(100)
  const query = { ...everyNamespace, hours: { from: firstHour, to: toHour } }
  const sizing = sizeNamespaces(depsAt(store, toHour, nodePrice), organisation, query, (reading) => {
    const time = { endHour: reading.latestHour, measuredHours: reading.measuredHours }
    return new NamespaceRows(reading, time, { see() {}, seeVolume() {}, seeWorkload() {} }, 100)
  })
  for await (const draft of sizing) draft.content.finish(draft, top)
  const recommendation = top.items.map((row) => row.recommendation).sort((a, b) => (a.kind < b.kind ? -1 : 1))
  return new Map(recommendation.map((one) => [one.workload!, one]))
}

const worthOf = (all: Map<string, Recommendation>) => all.get('Deployment/web')!.worth_per_month

test('a workload that does nothing at night and on weekends could sleep, unless another container of it works', async () => {
  const isOff = (hour: number) => (hour + 72) % 168 >= 120 || hour % 24 < 7 || hour % 24 >= 19
  const office = { ...web, cores: (hour: number) => (isOff(hour) ? 0.0005 : 0.3) }
  const reasonsOf = async (name: string, ...more: SyntheticPod[]) =>
    (await advise(name, office, ...more)).get('Deployment/web')!.reasons.join(' ')
  // 4 cores at 0.03 and 1 GiB at 0.004 for 730 hours, 108 of 168 hours of them.
  expect(await reasonsOf('sleeps')).toContain(
    'Idle from 19:00 to 07:00 UTC, and all of Saturday and Sunday (UTC) in both of the last two weeks: if nobody needs Deployment/web then, scaling it to zero in these 108 hours of a week would save $58.19 a month',
  )
  const busy = { ...office, container: 'sidecar', cores: 0.3 }
  expect(await reasonsOf('works', busy)).not.toContain('scaling it to zero')
})

test('a recommendation is worth what the current request costs more, not an earlier one', async () => {
  const always = await advise('always', web)
  for (const [organisation, before] of [
    ['lowered', 8],
    ['raised', 0.3],
  ] as const) {
    const changed = await advise(
      organisation,
      { ...web, cpuRequest: before, hours: 13 * 24 },
      { ...web, pod: 'web-2', from: toHour - 24, hours: 24 },
    )
    expect(worthOf(changed) / worthOf(always)).toBeCloseTo(1, 1)
  }
})

test('the cost of a container or an idle workload is that of its current requests', async () => {
  // Memory was reduced yesterday; only CPU is still to change.
  const resized = (pod: SyntheticPod) => [
    { ...pod, memoryRequest: 8, hours: 13 * 24 },
    { ...pod, pod: 'web-2', from: toHour - 24, hours: 24 },
  ]
  const well = { ...web, memoryRequest: 0.55 }
  for (const [organisation, pod] of [
    ['still large', well],
    ['still idle', { ...well, cores: 0 }],
  ] as const) {
    const always = (await advise(`always ${organisation}`, pod)).get('Deployment/web')!
    const changed = (await advise(organisation, ...resized(pod))).get('Deployment/web')!
    expect(changed.recommended?.memory_gib).toBe(always.recommended?.memory_gib)
    expect(changed.cost_per_month! / always.cost_per_month!).toBeCloseTo(1, 2)
    expect(changed.worth_per_month / always.worth_per_month).toBeCloseTo(1, 1)
  }
})

test('costs of a young workload are extrapolated from its own hours', async () => {
  const always = await advise('old', web)
  const young = await advise('young', { ...web, from: toHour - 48, hours: 48 })
  const costOf = (all: Map<string, Recommendation>) => all.get('Deployment/web')!.cost_per_month!
  expect(costOf(young) / costOf(always)).toBeGreaterThan(0.8)
  expect(costOf(young) / costOf(always)).toBeLessThan(1.2)
  // Only half of the cut is recommended before there is a week of history.
  expect(worthOf(young) / worthOf(always)).toBeGreaterThan(0.4)
  expect(worthOf(young) / worthOf(always)).toBeLessThan(0.7)
})

test('costs of a workload that was scaled down are those of the pods that still run', async () => {
  const replicas = (count: number, hours: number) =>
    Array.from({ length: count }, (_, index) => ({ ...web, pod: `web-${index + 2}`, hours }))
  const always = worthOf(await advise('one', web))
  const down = worthOf(await advise('down', web, ...replicas(4, 11 * 24)))
  expect(down / always).toBeCloseTo(1, 1)
  // Fewer replicas on a weekend do not count, and neither do more.
  const weekend = worthOf(await advise('weekend', web, ...replicas(4, 12 * 24)))
  expect(weekend / always).toBeGreaterThan(4)
})

test('a workload that has not run for a day needs no recommendation, unless it is a job', async () => {
  const gone = await advise('gone', { ...web, hours: 12 * 24 })
  expect(gone.has('Deployment/web')).toBe(false)
  const job = await advise('job', { ...web, workload: 'CronJob/web', hours: 12 * 24 })
  expect(job.has('CronJob/web')).toBe(true)
})

test('an idle workload with GPUs is worth them, and says that their use is not measured', async () => {
  const gpus = { ...price, gpuPerHourUsd: 0.5 }
  const idle = { ...web, cores: 0 }
  const [without, with1] = [await advise('plain', idle), await adviseAt(gpus, 'gpu', { ...idle, gpus: 1 })]
  expect(worthOf(with1) - worthOf(without)).toBeCloseTo(0.5 * 730, 0)
  const said = (all: Map<string, Recommendation>) => all.get('Deployment/web')!.reasons.join(' ')
  expect(said(with1)).toContain('reserves GPUs')
  expect(said(without)).not.toContain('GPU')
  const unpriced = await advise('gpu without a price', { ...idle, gpus: 1 })
  expect(said(unpriced)).toContain('reserves GPUs')
})

test('a workload is idle only if a container that keeps running was measured and used little', async () => {
  const kindOf = async (organisation: string, pod: SyntheticPod) =>
    (await advise(organisation, pod)).get('Deployment/web')?.kind
  expect(await kindOf('unused', { ...web, cores: 0 })).toBe('idle')
  expect(await kindOf('steady', { ...web, cores: 0.09, cpuRequest: 10 })).toBe('container')
  const managed = { ...web, namespace: 'kube-system', workload: 'Deployment/coredns', cores: 0 }
  expect((await advise('managed', managed)).get('Deployment/coredns')?.kind).toBe('container')
  const starting = { ...web, init: true, cores: 0.9, from: toHour - 1, hours: 1 }
  expect(await kindOf('starting', starting)).toBeUndefined()
})
