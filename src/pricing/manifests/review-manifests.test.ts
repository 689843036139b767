import { expect, test } from 'vitest'
import { planMarket } from '../../../test/plans/market.ts'
import { type ManifestChange, reviewManifests } from '../terraform/review/review-plan.ts'
import type { Review } from '../terraform/review/schema.ts'
import { parseQuantity } from './quantity.ts'

const deps = planMarket()
const rates = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004 }

async function review(after: unknown[], more: Partial<ManifestChange> = {}): Promise<Review> {
  const change = { before: [], after, pricing: rates, ...more }
  return (await reviewManifests(deps, 'acme', 'manifests', change)) as Review
}

const container = (cpu: unknown, memory: unknown, more: object = {}) => ({
  name: 'app',
  resources: { requests: { cpu, memory } },
  ...more,
})
const workload = (kind: string, spec: object, ...containers: object[]) => ({
  kind,
  metadata: { name: 'web', namespace: 'shop' },
  spec: { ...spec, template: { spec: { containers } } },
})
const costs = ({ changes }: Review) =>
  changes.map(({ address, action, difference_per_month: usd }) => `${address} ${action} ${usd}`)

test.each([
  ['500m', 0.5],
  ['2', 2],
  [1.5, 1.5],
  ['1e3', 1000],
  ['.5', 0.5],
  ['1Gi', 2 ** 30],
  ['1.5Ki', 1536],
  ['100M', 1e8],
  ['1E', 1e18],
  ['1E2', 100],
  ['-1', undefined],
  ['1 Gi', undefined],
  ['1gi', undefined],
  ['', undefined],
  [null, undefined],
  [Number.NaN, undefined],
  ['9'.repeat(40), undefined],
])('%j is %j', (given, expected) => {
  const parsed = parseQuantity(given)
  if (expected === undefined) expect(parsed).toBeUndefined()
  else expect(parsed).toBeCloseTo(expected, 9)
})

test('pods cost what they request', async () => {
  // 3 x (0.5 x 0.03 + 1 x 0.004) x 730
  const found = await review([workload('Deployment', { replicas: 3 }, container('500m', '1Gi'))])
  expect(costs(found)).toEqual(['shop/Deployment/web create 41.61'])
  expect(found.changes[0]!.after!.charges[0]).toMatchObject({ name: 'pod with 0.5 cores, 1 GiB', count: 3 })
})

test('a change shows its difference, and what stays or goes', async () => {
  const pod = (cpu: string, name: string) => ({
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [container(cpu, '1Gi')] },
  })
  const before = [pod('1', 'grown'), pod('1', 'kept'), pod('1', 'gone')]
  const found = await review([pod('2', 'grown'), pod('1', 'kept')], { before })
  expect(costs(found)).toEqual(['Pod/grown update 21.9', 'Pod/kept no-op 0', 'Pod/gone delete -24.82'])
})

test('init containers, sidecars, limits and overhead count as for the scheduler', async () => {
  const deployment = (spec: object) => ({
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { template: { spec } },
  })
  const nameOf = async (spec: object) =>
    (await review([deployment(spec)])).changes[0]!.after!.charges[0]!.name
  const app = container('1', '1Gi')
  expect(await nameOf({ containers: [app], initContainers: [container('3', '512Mi')] })).toBe(
    'pod with 3 cores, 1 GiB',
  )
  const sidecar = container('250m', '256Mi', { restartPolicy: 'Always' })
  expect(await nameOf({ containers: [app], initContainers: [sidecar], overhead: { cpu: '250m' } })).toBe(
    'pod with 1.5 cores, 1.25 GiB',
  )
  const migration = container('2', '512Mi')
  expect(await nameOf({ containers: [app], initContainers: [sidecar, migration] })).toBe(
    'pod with 2.25 cores, 1.25 GiB',
  )
  expect(await nameOf({ containers: [app], initContainers: [migration, sidecar] })).toBe(
    'pod with 2 cores, 1.25 GiB',
  )
  const limited = { name: 'app', resources: { limits: { cpu: '2', memory: '2Gi' } } }
  expect(await nameOf({ containers: [limited] })).toBe('pod with 2 cores, 2 GiB')
})

test('what is not known is said, and left out of the totals', async () => {
  const objects = [
    workload('DaemonSet', {}, container('100m', '100Mi')),
    { ...workload('Job', {}, container('1', '1Gi')), metadata: { name: 'once' } },
    { kind: 'Deployment', metadata: { name: 'bare' }, spec: { template: { spec: { containers: [{}] } } } },
    { kind: 'Service', metadata: { name: 'web' } },
    null,
    'text',
    { kind: 'Deployment', spec: { template: { spec: { containers: 'x' } } } },
  ]
  const found = await review(objects)
  expect(found.unpriced.map(({ address, reason }) => `${address}: ${reason}`)).toEqual([
    'shop/DaemonSet/web: it runs on every node; state their number with --nodes',
    'Job/once: what a job costs depends on how long it runs',
  ])
  expect(found.changes[0]!.notes).toEqual([
    'a container has no cpu request, which counts as 0',
    'a container has no memory request, which counts as 0',
  ])
  expect(costs(await review(objects.slice(0, 1), { nodes: 10 }))).toEqual([
    'shop/DaemonSet/web create 24.752',
  ])
})

test('an autoscaler sets the replicas that a workload leaves to it', async () => {
  const scaler = {
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 6 },
  }
  const found = await review([
    { kind: 'List', items: [workload('Deployment', {}, container('1', '0')), scaler] },
  ])
  expect(costs(found)).toEqual(['shop/Deployment/web create 43.8'])
  expect(found.changes[0]!.notes).toEqual(['priced with 2 of 2 to 6 replicas of its autoscaler'])
})

test('nodes of a type set the rates, and the disks of claims', async () => {
  const claim = (storageClassName: string, storage: string) => ({
    kind: 'PersistentVolumeClaim',
    metadata: { name: storageClassName },
    spec: { storageClassName, resources: { requests: { storage } } },
  })
  const pricing = { provider: 'aws', region: 'us-east-1', instanceType: 'm5.large', usageType: 'ondemand' }
  const database = {
    ...workload(
      'StatefulSet',
      { replicas: 2, volumeClaimTemplates: [claim('gp2', '100Gi')] },
      container('2', '8Gi'),
    ),
  }
  const found = await review([database, claim('gp3', '50Gi'), claim('fast', '1Gi')], { pricing })
  // Two m5.large.
  expect(costs(found)).toEqual([
    'shop/StatefulSet/web create 140.16',
    'shop/StatefulSet/web/gp2 create 20',
    'PersistentVolumeClaim/gp3 create 4',
  ])
  expect(found.unpriced).toMatchObject([{ address: 'PersistentVolumeClaim/fast' }])
})
