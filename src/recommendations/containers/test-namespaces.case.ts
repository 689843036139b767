import type { NodePrice } from '../../costs/allocation/nodes.ts'
import { NodeLoadCache } from '../../costs/clusters/node-load-cache.ts'
import { baseRates } from '../../domain/money.ts'
import { subjectKey } from '../../domain/subject.ts'
import { hourMs } from '../../domain/time.ts'
import type { SizingModel } from '../../rightsizing/model/model.ts'
import type { Store } from '../../store/port.ts'
import { encodeEntity, entityKey, newEntity, setAttribute } from '../../usage/digest/entities.ts'
import type { Checkpoint } from '../../usage/port.ts'
import { digestBytes, firstHour, type SyntheticPod, subjectOf } from '../../usage/reading/pods.case.ts'
import { viewNamespace } from './answer/view-namespace.case.ts'
import { sizingRulesOf } from './organisation-rules.ts'
import { parseSizesRequest, type SizesRequest } from './query.ts'
import { recommendSizes } from './recommend-sizes.case.ts'
import type { NamespaceRecommendation } from './schema.ts'
import type { SizesDeps, SizesQuery } from './size-namespaces.ts'

export interface SyntheticAutoscaler {
  readonly workload: string
  /** Percentage of the request. */
  readonly cpuTarget?: number
  readonly memoryTarget?: number
}

/** What ran, by default for two weeks. */
export interface SyntheticNamespace {
  readonly days?: number
  readonly pods: readonly SyntheticPod[]
  readonly autoscaler?: SyntheticAutoscaler
}

/** Writes digests to the store and runs the endpoint's operation on them, priced at base rates. */
export async function recommendFor(
  store: Store,
  organisation: string,
  { days = 14, pods, autoscaler }: SyntheticNamespace,
  preference: Partial<SizesRequest> = {},
  model: SizingModel = {},
): Promise<NamespaceRecommendation> {
  const toHour = firstHour + days * 24
  const entities = autoscaler === undefined ? [] : [autoscalerRow(autoscaler, toHour - 1)]
  await storePods(store, organisation, pods, days, entities)
  const deps = depsAt(store, toHour, { ...baseRates, perHourUsd: null }, model)
  const { namespaces } = await recommendSizes(deps, organisation, queryUntil(toHour, preference))
  return viewNamespace(namespaces[0]!, deps.now())
}

export async function storePods(
  store: Store,
  organisation: string,
  pods: readonly SyntheticPod[],
  days: number,
  entities: Checkpoint['entities'] = [],
): Promise<void> {
  const partition = { organisation, source: 'push' }
  await store.usage.commit(partition, await store.usage.fence(partition), {
    subjects: pods.map((pod) => subjectRow(pod, days * 24)),
    entities,
    consumed: [],
    forgotten: [],
    resume: '',
  })
}

/** Dependencies at an hour, with the same price for every node. */
export function depsAt(store: Store, hour: number, price: NodePrice, model: SizingModel = {}): SizesDeps {
  const now = () => hour * hourMs
  return {
    store,
    now,
    loads: new NodeLoadCache(store, now),
    nodePrices: async () => ({ priceOf: () => price }),
    preferenceOf: async () => ({}),
    modelOf: async () => ({ model }),
    rules: (organisation) => sizingRulesOf({ store }, organisation),
  }
}

export const queryUntil = (toHour: number, preference: Partial<SizesRequest> = {}): SizesQuery =>
  parseSizesRequest({
    start_date: new Date(firstHour * hourMs).toISOString(),
    end_date: new Date(toHour * hourMs).toISOString(),
    ...preference,
  })

function subjectRow(pod: SyntheticPod, hours: number) {
  const subject = subjectOf(pod)
  const { from = firstHour, hours: count = hours } = pod
  return {
    key: subjectKey(subject),
    subject,
    state: new Uint8Array(),
    digests: Array.from({ length: count }, (_, index) => from + index)
      .filter((hour) => pod.runsAt?.(hour) ?? true)
      .map((hour) => ({ hour, part: 0, bytes: digestBytes({ ...pod, from: hour, hours: 1 }) })),
  }
}

function autoscalerRow({ workload, cpuTarget, memoryTarget }: SyntheticAutoscaler, lastHour: number) {
  const ref = { kind: 'autoscaler', cluster: 'c', namespace: 'shop', name: 'scaler' } as const
  const entity = newEntity(ref, lastHour)
  const at = lastHour * 3600
  setAttribute(entity, 'workload', workload, at)
  setAttribute(entity, 'maxReplicas', 10, at)
  if (cpuTarget !== undefined) setAttribute(entity, 'target/cpu/utilization', cpuTarget, at)
  if (memoryTarget !== undefined) setAttribute(entity, 'target/memory/utilization', memoryTarget, at)
  return { key: entityKey(ref), kind: ref.kind, cluster: 'c', lastHour, json: encodeEntity(entity) }
}
