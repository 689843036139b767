import type { EntityKind } from '../../domain/usage-series.ts'
import { decodeEntity, type Entity, mergeEntity } from '../digest/entities.ts'
import type { UsageStore } from '../port.ts'

/** Facts about an organisation's entities, by key, merged over all sources. */
export async function readEntities(
  usage: Pick<UsageStore, 'entities'>,
  organisation: string,
  query: { kinds?: readonly EntityKind[]; cluster?: string },
): Promise<Map<string, Entity>> {
  const entities = new Map<string, Entity>()
  for (const { key, json } of await usage.entities(organisation, query)) {
    const decoded = decodeEntity(key, json)
    const known = entities.get(key)
    if (known === undefined) entities.set(key, decoded)
    else mergeEntity(known, decoded)
  }
  return entities
}
