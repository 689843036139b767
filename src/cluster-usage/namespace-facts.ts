import type { HardQuota } from '../allocation/totals.ts'
import type { EntityRef } from '../domain/usage-series.ts'
import { gibBytes } from '../usage/digest/digest.ts'
import type { Entity } from '../usage/digest/entities.ts'

export interface Autoscaler {
  readonly maxReplicas: number | undefined
  /** Percent of the request. */
  readonly cpuTarget: number | undefined
  readonly memoryTarget: number | undefined
}

/** What is known of namespaces besides usage. */
export class NamespaceFacts {
  readonly #autoscalers = new Map<string, Autoscaler>()
  readonly #quotas = new Map<string, Entity[]>()

  /** Entities last seen before the hour are gone. */
  constructor(entities: Iterable<Entity>, fromHour: number) {
    for (const entity of entities) {
      if (entity.lastHour < fromHour) continue
      const { kind } = entity.ref
      if (kind === 'autoscaler') this.#addAutoscaler(entity)
      if (kind === 'quota') {
        const key = placeOf(entity.ref)
        this.#quotas.set(key, [...(this.#quotas.get(key) ?? []), entity])
      }
    }
  }

  autoscalerOf(cluster: string, namespace: string, workload: string): Autoscaler | undefined {
    return this.#autoscalers.get(`${placeOf({ cluster, namespace })}\0${workload}`)
  }

  /** On limits, else on requests; of several quotas the tightest. */
  quotaOf(cluster: string, namespace: string): HardQuota {
    const quotas = this.#quotas.get(placeOf({ cluster, namespace })) ?? []
    const tightest = (...names: readonly string[]): number => {
      for (const name of names) {
        const values = quotas.flatMap((quota) => numberOf(quota, `hard/${name}`) ?? [])
        if (values.length > 0) return Math.min(...values)
      }
      return 0
    }
    return {
      cpu: tightest('limits.cpu', 'requests.cpu', 'cpu'),
      memory: tightest('limits.memory', 'requests.memory', 'memory') / gibBytes,
    }
  }

  #addAutoscaler(entity: Entity): void {
    const workload = entity.attributes.get('workload')?.value
    if (typeof workload !== 'string') return
    this.#autoscalers.set(`${placeOf(entity.ref)}\0${workload}`, {
      maxReplicas: numberOf(entity, 'maxReplicas'),
      cpuTarget: numberOf(entity, 'target/cpu/utilization'),
      memoryTarget: numberOf(entity, 'target/memory/utilization'),
    })
  }
}

const placeOf = ({ cluster, namespace }: Pick<EntityRef, 'cluster' | 'namespace'>): string =>
  `${cluster}\0${namespace}`

function numberOf(entity: Entity, attribute: string): number | undefined {
  const value = entity.attributes.get(attribute)?.value
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
