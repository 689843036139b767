import { type ContainerSubject, type NamespaceRef, subjectOfKey } from '../../domain/subject.ts'
import type { EntityRef } from '../../domain/usage-series.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import { gibBytes } from '../../usage/digest/digest.ts'
import { type Entity, readEntities } from '../../usage/digest/entities.ts'
import type { UsageStore } from '../../usage/port.ts'
import { hourlyHours, PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { HardQuota } from '../allocation/totals.ts'
import { NamespaceUsage, spansUntilHour } from './namespace-usage.ts'
import type { NodeLoadCache } from './node-load-cache.ts'

const maxPods = 512

/** Reads one namespace after the other, in order. Each is released before the next is read. */
export async function* readNamespaces(
  deps: NamespacesDeps,
  organisation: string,
  query: NamespacesQuery,
  yielder: Yielder,
): AsyncGenerator<NamespaceUsage> {
  const { hours, namespace } = query
  const source = {
    store: deps.store,
    organisation,
    hours,
    yielder,
    reader: new PodReader(),
    maxPods: deps.maxPods ?? maxPods,
  }
  for await (const { cluster, after } of clustersOf(deps.store, organisation, query)) {
    const loads = await deps.loads.loadsOf(organisation, cluster, hours)
    let reading: NamespaceUsage | undefined
    const stored = deps.store.usage.digests(organisation, {
      ...placeOf(cluster, namespace, after),
      fromHour: hours.from,
      toHour: hours.to,
      summariesBefore: spansUntilHour(loads, hours) - hourlyHours,
    })
    for await (const container of stored) {
      const subject = subjectOfKey(container.key) as ContainerSubject
      if (reading?.namespace !== subject.namespace) {
        if (reading?.isEmpty === false) yield reading
        reading = new NamespaceUsage(subject, loads, source)
      }
      reading.add(container, subject)
      if (yielder.isDue) await yielder.pause()
    }
    if (reading?.isEmpty === false) yield reading
  }
}

interface NamespacesDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'firstKey'> }
  readonly loads: Pick<NodeLoadCache, 'loadsOf'>
  /** Largest number of pods of a namespace in memory at a time; by default as many as fit in some megabytes. */
  readonly maxPods?: number
}

interface NamespacesQuery {
  readonly hours: HourRange
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  readonly after: PageEnd | undefined
}

/** Where a page ended: with a whole namespace, or with the container of this key. */
export type PageEnd = NamespaceRef & { readonly container?: string }

/** Yields the clusters that the query asks for, in order, each with the key after which reading begins. */
async function* clustersOf(
  { usage }: NamespacesDeps['store'],
  organisation: string,
  { cluster, namespace, after, hours }: NamespacesQuery,
): AsyncGenerator<{ readonly cluster: string; readonly after: string | undefined }> {
  const window = { fromHour: hours.from, toHour: hours.to }
  let last = after === undefined ? undefined : keyBefore(after)
  for (;;) {
    const key = await usage.firstKey(organisation, { ...placeOf(cluster, undefined, last), ...window })
    if (key === undefined) return
    const name = (subjectOfKey(key) as ContainerSubject).cluster
    const hasUsage =
      namespace === undefined ||
      (await usage.firstKey(organisation, { ...placeOf(name, namespace, last), ...window })) !== undefined
    if (hasUsage) yield { cluster: name, after: last }
    if (cluster !== undefined) return
    last = `c\0${name}\x01`
  }
}

const placeOf = (cluster: string | undefined, namespace: string | undefined, after: string | undefined) => ({
  kind: 'container' as const,
  ...(cluster === undefined ? {} : { cluster }),
  ...(namespace === undefined ? {} : { namespace }),
  ...(after === undefined ? {} : { after }),
})

/**
 * A key after every key of the namespace or, if a page ended inside it, before all of them. Parts of keys are separated by
 * NUL, which no part contains.
 */
const keyBefore = ({ cluster, namespace, container }: PageEnd): string =>
  `c\0${cluster}\0${namespace}${container === undefined ? '\x01' : '\0'}`

export interface Autoscaler {
  readonly minReplicas: number | undefined
  readonly maxReplicas: number | undefined
  readonly cpuTarget: number | undefined
  readonly memoryTarget: number | undefined
}

export async function readNamespaceFacts(
  usage: Pick<UsageStore, 'entities'>,
  organisation: string,
  cluster: string | undefined,
  { from }: HourRange,
): Promise<NamespaceFacts> {
  const query = { kinds: ['quota', 'autoscaler'] as const, ...(cluster === undefined ? {} : { cluster }) }
  return new NamespaceFacts((await readEntities(usage, organisation, query)).values(), from)
}

export class NamespaceFacts {
  readonly #autoscalers = new Map<string, Autoscaler>()
  readonly #quotas = new Map<string, Entity[]>()

  /** Entities that were last seen before the hour no longer exist and are left out. */
  constructor(entities: Iterable<Entity>, fromHour: number) {
    for (const entity of entities) {
      if (entity.lastHour < fromHour) continue
      const { kind } = entity.ref
      if (kind === 'autoscaler') this.#addAutoscaler(entity)
      if (kind === 'quota') {
        const key = namespaceKey(entity.ref)
        this.#quotas.set(key, [...(this.#quotas.get(key) ?? []), entity])
      }
    }
  }

  autoscalerOf(cluster: string, namespace: string, workload: string): Autoscaler | undefined {
    return this.#autoscalers.get(`${namespaceKey({ cluster, namespace })}\0${workload}`)
  }

  /** The quota on limits, or else on requests. Of several quotas the tightest counts. */
  quotaOf(cluster: string, namespace: string): HardQuota {
    const quotas = this.#quotas.get(namespaceKey({ cluster, namespace })) ?? []
    const tightest = (resource: 'cpu' | 'memory'): { value: number; isOfRequests: boolean } => {
      for (const name of [`limits.${resource}`, `requests.${resource}`, resource]) {
        const values = quotas.flatMap((quota) => numberOf(quota, `hard/${name}`) ?? [])
        if (values.length > 0) return { value: Math.min(...values), isOfRequests: !name.startsWith('limits') }
      }
      return { value: 0, isOfRequests: false }
    }
    const [cpu, memory] = [tightest('cpu'), tightest('memory')]
    return {
      cpu: cpu.value,
      memory: memory.value / gibBytes,
      ofRequests: { cpu: cpu.isOfRequests, memory: memory.isOfRequests },
    }
  }

  #addAutoscaler(entity: Entity): void {
    const workload = entity.attributes.get('workload')?.value
    if (typeof workload !== 'string') return
    this.#autoscalers.set(`${namespaceKey(entity.ref)}\0${workload}`, {
      minReplicas: numberOf(entity, 'minReplicas'),
      maxReplicas: numberOf(entity, 'maxReplicas'),
      cpuTarget: numberOf(entity, 'target/cpu/utilization'),
      memoryTarget: numberOf(entity, 'target/memory/utilization'),
    })
  }
}

const namespaceKey = ({ cluster, namespace }: Pick<EntityRef, 'cluster' | 'namespace'>): string =>
  `${cluster}\0${namespace}`

function numberOf(entity: Entity, attribute: string): number | undefined {
  const value = entity.attributes.get(attribute)?.value
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
