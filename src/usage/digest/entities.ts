import { hourMs, hourSeconds } from '../../domain/time.ts'
import type { EntityKind, EntityRef } from '../../domain/usage-series.ts'
import type { EntityQuery, UsageStore } from '../port.ts'

/** The latest value of each attribute. Merging keeps the later value, or the greater one if both have the same time. */
export interface Entity {
  readonly ref: EntityRef
  readonly attributes: Map<string, Attribute>
  /** Hours since 1970 in which it was first and last seen. */
  firstHour: number
  lastHour: number
}

interface Attribute {
  /** Seconds since 1970. */
  readonly at: number
  readonly value: string | number
}

/** Different entities have different keys, because the parts never contain a NUL. */
export const entityKey = ({ kind, cluster, namespace, name }: EntityRef): string =>
  `${kind}\0${cluster}\0${namespace}\0${name}`

/** `day` counts from 1970. Names of Kubernetes objects have no slash. */
export const dailyName = (name: string, day: number): string => `${name}/${day}`

export function parseDailyName(name: string): { readonly name: string; readonly day: number } {
  const slash = name.lastIndexOf('/')
  return { name: name.slice(0, slash), day: Number(name.slice(slash + 1)) }
}

/** Prefixes of attributes of which the greatest or the least value is kept instead of the latest. */
const maxPrefix = 'max/'
const minPrefix = 'min/'

/** The key of a node or, with the cluster '', of a machine outside clusters. */
export const nodeKey = (cluster: string, name: string): string =>
  entityKey({ kind: cluster === '' ? 'machine' : 'node', cluster, namespace: '', name })

/**
 * Name of the attribute for a Kubernetes label. Prometheus replaces characters that it does not allow by _:
 * app.kubernetes.io/name becomes app_kubernetes_io_name.
 */
export const labelAttribute = (label: string): string => `label/${prometheusLabel(label)}`

export const prometheusLabel = (label: string): string => label.replace(/[^a-zA-Z0-9_]/g, '_')

/** Attribute of a workload: the requests of the init containers of its pods. */
export const initRequestsAttribute = 'initRequests'

/** More init containers of a pod are not kept. */
export const maxInitContainers = 32

/** Cores and GiB that init containers request, by name. */
export type InitRequests = ReadonlyMap<string, { readonly cores: number; readonly gib: number }>

export const encodeInitRequests = (requests: InitRequests): string =>
  JSON.stringify(Object.fromEntries([...requests].sort(([a], [b]) => (a < b ? -1 : 1))))

export const initRequestsOf = ({ attributes }: Entity): InitRequests => {
  const text = attributes.get(initRequestsAttribute)?.value
  return new Map(typeof text === 'string' ? Object.entries(JSON.parse(text)) : [])
}

/** Whether nothing was received about an entity in the current hour and the one before. */
export const isSilentSince = (lastHour: number, nowMs: number): boolean =>
  lastHour < Math.floor(nowMs / hourMs) - 1

export const newEntity = (ref: EntityRef, hour: number): Entity => ({
  ref,
  attributes: new Map(),
  firstHour: hour,
  lastHour: hour,
})

/** True if there is something to store: a new value, or that the entity still exists in another hour. */
export function setAttribute(entity: Entity, name: string, value: string | number, at: number): boolean {
  const hour = Math.floor(at / hourSeconds)
  const isNewHour = hour > entity.lastHour || hour < entity.firstHour
  entity.firstHour = Math.min(entity.firstHour, hour)
  entity.lastHour = Math.max(entity.lastHour, hour)
  const before = entity.attributes.get(name)
  const after = mergedAttribute(name, before, { at, value })
  entity.attributes.set(name, after)
  return isNewHour || before?.value !== after.value
}

export function mergeEntity(into: Entity, from: Entity): Entity {
  into.firstHour = Math.min(into.firstHour, from.firstHour)
  into.lastHour = Math.max(into.lastHour, from.lastHour)
  for (const [name, attribute] of from.attributes)
    into.attributes.set(name, mergedAttribute(name, into.attributes.get(name), attribute))
  return into
}

function mergedAttribute(name: string, a: Attribute | undefined, b: Attribute): Attribute {
  if (a !== undefined && name.startsWith(maxPrefix)) return b.value > a.value ? b : a
  if (a !== undefined && name.startsWith(minPrefix)) return b.value < a.value ? b : a
  return laterAttribute(a, b)
}

function laterAttribute(a: Attribute | undefined, b: Attribute): Attribute {
  if (a === undefined || b.at !== a.at) return a === undefined || b.at > a.at ? b : a
  if (typeof a.value !== typeof b.value) return typeof a.value === 'number' ? a : b
  return b.value > a.value ? b : a
}

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

/** Facts about an organisation's entities, by key, merged over all sources. */
export async function readEntities(
  usage: Pick<UsageStore, 'entities'>,
  organisation: string,
  query: EntityQuery,
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
