import type { Entity } from '../../usage/digest/entities.ts'
import { entityKey, labelAttribute } from '../../usage/digest/entities.ts'
import type { UsageStore } from '../../usage/port.ts'
import { readEntities } from '../../usage/reading/read-entities.ts'
import type { NamespaceRef } from '../recommend-sizes/query.ts'

/** The values of one label, as they were last seen. */
export class WorkloadLabels {
  readonly #entities: ReadonlyMap<string, Entity>
  readonly #attribute: string

  constructor(entities: ReadonlyMap<string, Entity>, label: string) {
    this.#entities = entities
    this.#attribute = labelAttribute(label)
  }

  /** That of the workload, else that of its namespace, else ''. */
  valueOf({ cluster, namespace }: NamespaceRef, workload: string): string {
    const own = entityKey({ kind: 'workload', cluster, namespace, name: workload })
    const shared = entityKey({ kind: 'namespace', cluster, namespace, name: namespace })
    return this.#valueAt(own) || this.#valueAt(shared)
  }

  #valueAt(key: string): string {
    const value = this.#entities.get(key)?.attributes.get(this.#attribute)?.value
    return typeof value === 'string' ? value : ''
  }
}

export async function readWorkloadLabels(
  usage: Pick<UsageStore, 'entities'>,
  organisation: string,
  label: string,
  cluster: string | undefined,
): Promise<WorkloadLabels> {
  const entities = await readEntities(usage, organisation, {
    kinds: ['workload', 'namespace'],
    ...(cluster === undefined ? {} : { cluster }),
  })
  return new WorkloadLabels(entities, label)
}
