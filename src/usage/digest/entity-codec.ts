import type { EntityKind } from '../../domain/usage-series.ts'
import type { Attribute, Entity } from './entities.ts'
import { newEntity } from './entities.ts'

/** {"first": hour, "last": hour, "is": {attribute: [second, value], ...}}, attributes in order of name. */
export function encodeEntity(entity: Entity): string {
  const sorted = [...entity.attributes].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify({
    first: entity.firstHour,
    last: entity.lastHour,
    is: Object.fromEntries(sorted.map(([name, { at, value }]) => [name, [at, value]])),
  })
}

export function decodeEntity(key: string, json: string): Entity {
  const [kind, cluster = '', namespace = '', name = ''] = key.split('\0')
  const parsed = JSON.parse(json) as {
    first: number
    last: number
    is: Record<string, [number, Attribute['value']]>
  }
  const entity = newEntity({ kind: kind as EntityKind, cluster, namespace, name }, parsed.first)
  entity.lastHour = parsed.last
  for (const [attribute, [at, value]] of Object.entries(parsed.is))
    entity.attributes.set(attribute, { at, value })
  return entity
}
