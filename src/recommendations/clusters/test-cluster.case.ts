import { awsOffer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import type { TestMarket } from '../../pricing/test-market.case.ts'
import {
  encodeEntity,
  encodeInitRequests,
  entityKey,
  initRequestsAttribute,
  newEntity,
  setAttribute,
} from '../../usage/digest/entities.ts'
import type { Checkpoint } from '../../usage/port.ts'
import { firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { depsAt, storePods } from '../containers/test-namespaces.case.ts'
import { type ClustersRequest, parseClustersRequest } from './query.ts'
import { recommendClusters } from './recommend-clusters.ts'
import type { ClusterRecommendation } from './schema.ts'
import { viewCluster } from './view-cluster.ts'

const aws = (instanceType: string, vcpus: number, ramGib: number, usd: number, over: Partial<Offer> = {}) =>
  awsOffer(instanceType, usd, { vcpus, ramGib, ...over })

/** Offers for nodes, including one of each kind to which nodes must not be changed. */
export const nodeOffers: readonly Offer[] = [
  aws('m5.4xlarge', 16, 64, 0.768),
  aws('m5.xlarge', 4, 16, 0.192),
  aws('m5.2xlarge', 8, 32, 0.384),
  aws('m6a.xlarge', 4, 16, 0.1728),
  // Slower than m6a, and less than a percent cheaper.
  aws('m5a.xlarge', 4, 16, 0.172),
  aws('m6g.xlarge', 4, 16, 0.154, { architecture: 'arm64' }),
  aws('t3.xlarge', 4, 16, 0.1664, { burstableBaseline: 0.4 }),
  aws('g4dn.xlarge', 4, 16, 0.526, { gpuCount: 1, gpuName: 'T4' }),
  aws('m5.xlarge', 4, 16, 0.08, { usageType: 'SPOT_PREEMPTIBLE', zone: 'use1-az1' }),
  aws('m6a.xlarge', 4, 16, 0.06, { usageType: 'SPOT_PREEMPTIBLE', zone: 'use1-az1' }),
]

export interface SyntheticNode {
  readonly name: string
  readonly texts?: Readonly<Record<string, string>>
  readonly numbers?: Readonly<Record<string, number>>
  /** Hours since 1970 in which the node was first and last seen; by default the whole window. */
  readonly firstHour?: number
  readonly lastHour?: number
}

/** Makes `count` nodes of a type, called n0, n1 and so on. */
export const nodesOf = (type: string, count: number, more: Partial<SyntheticNode> = {}, from = 0) =>
  Array.from(
    { length: count },
    (_, i): SyntheticNode => ({
      name: `n${from + i}`,
      ...more,
      texts: { provider: 'aws', region: 'us-east-1', instanceType: type, ...more.texts },
    }),
  )

/** Returns what the endpoint answers for one cluster. */
export async function clusterOf(
  market: TestMarket,
  organisation: string,
  cluster: Parameters<typeof plansOf>[2],
  request: ClustersRequest = {},
): Promise<ClusterRecommendation> {
  const { market: prices, plans, hours, hour } = await plansOf(market, organisation, cluster, request)
  return viewCluster(market.pricing, prices, hours, plans[0]!, hour)
}

/** Stores the cluster, and plans its nodes. */
export async function plansOf(
  { store, pricing }: TestMarket,
  organisation: string,
  cluster: {
    readonly nodes: readonly SyntheticNode[]
    readonly pods: readonly SyntheticPod[]
    readonly days?: number
    /** Requests of an init container of workloads in the namespace shop, which is never sampled. */
    readonly initRequests?: Readonly<Record<string, { readonly cores: number; readonly gib: number }>>
  },
  request: ClustersRequest = {},
) {
  const { nodes, pods, days = 2, initRequests = {} } = cluster
  const toHour = firstHour + days * 24
  await storePods(store, organisation, pods, days, [
    ...nodes.map((node) => nodeRow(node, toHour - 1)),
    ...Object.entries(initRequests).map(([workload, size]) => workloadRow(workload, size, toHour - 1)),
  ])
  const sizes = depsAt(store, toHour, { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: null })
  const query = parseClustersRequest(request, sizes.now() - 1)
  const signal = new AbortController().signal
  const found = await recommendClusters({ sizes, pricing }, organisation, query, signal)
  return { ...found, hours: query.hours }
}

export function nodeRow(node: SyntheticNode, endHour: number): Checkpoint['entities'][number] {
  const { name, texts = {}, numbers = {}, firstHour: first = firstHour, lastHour = endHour } = node
  const ref = { kind: 'node', cluster: 'c', namespace: '', name } as const
  const entity = newEntity(ref, first)
  for (const [attribute, value] of Object.entries({ ...texts, ...numbers }))
    setAttribute(entity, attribute, value, lastHour * 3600)
  return { key: entityKey(ref), kind: ref.kind, cluster: 'c', lastHour, json: encodeEntity(entity) }
}

function workloadRow(name: string, size: { readonly cores: number; readonly gib: number }, endHour: number) {
  const ref = { kind: 'workload', cluster: 'c', namespace: 'shop', name } as const
  const entity = newEntity(ref, firstHour)
  const requests = encodeInitRequests(new Map([['migrate', size]]))
  setAttribute(entity, initRequestsAttribute, requests, endHour * 3600)
  return { key: entityKey(ref), kind: ref.kind, cluster: 'c', lastHour: endHour, json: encodeEntity(entity) }
}
