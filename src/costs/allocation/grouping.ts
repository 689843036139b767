import type { ContainerSubject } from '../../domain/subject.ts'

/** What rows can be grouped by, in the order in which rows show and sort it. */
export const groupKinds = [
  'cluster',
  'namespace',
  'kind',
  'workload',
  'pod',
  'container',
  'node',
  'node_type',
  'storage_class',
] as const
type GroupKind = (typeof groupKinds)[number]
export type GroupKey = GroupKind | `label:${string}`

/** What the rows of an answer are about. Names are unique only within what contains them, so that is a key, too. */
export interface CostGrouping {
  readonly keys: readonly GroupKey[]
  /** Undefined if rows are about all namespaces. */
  readonly namespace: string | undefined
  /** Whether cost that belongs to nobody is divided among namespaces. */
  readonly isShared?: boolean
}

const containedIn: Readonly<Record<GroupKind, readonly GroupKind[]>> = {
  cluster: [],
  namespace: ['cluster'],
  kind: [],
  workload: ['cluster', 'namespace'],
  pod: ['cluster', 'namespace'],
  container: ['cluster', 'namespace', 'workload'],
  node: ['cluster'],
  node_type: [],
  storage_class: [],
}

const maxKeys = 3

/** Kind of the workload that a machine is shown as: Machine/NAME */
export const machineKind = 'Machine'

/**
 * namespace -> cluster, namespace; label:team,cluster -> cluster, label:team; annotation:team -> label:annotation:team. Returns undefined unless these are one to three
 * keys, at most one of them a label.
 */
export function parseGroupBy(text: string): readonly GroupKey[] | undefined {
  const names = text.split(',').map((name) => name.replace(/^annotation:/, 'label:annotation:'))
  const labels = names.filter((name) => /^label:.+$/.test(name)) as GroupKey[]
  const kinds = groupKinds.filter((kind) => names.includes(kind))
  const isEachKnown = kinds.length + labels.length === names.length
  if (!isEachKnown || labels.length > 1 || names.length > maxKeys) return undefined
  const all = new Set(kinds.flatMap((kind) => [...containedIn[kind], kind]))
  return [...groupKinds.filter((kind) => all.has(kind)), ...labels]
}

export const labelOf = (keys: readonly GroupKey[]): string | undefined =>
  keys.find((key) => key.startsWith('label:'))?.slice('label:'.length)

export const isOfNodes = ({ keys, namespace }: CostGrouping): boolean =>
  namespace === undefined && keys.every((key) => key === 'cluster' || key === 'node')

/** Where cost arises; idle cost has a cluster and a node only. */
export interface CostPlace extends Partial<Pick<ContainerSubject, 'namespace' | 'pod' | 'container'>> {
  readonly cluster: string
  /** Kind/name. */
  readonly workload?: string
  readonly node: string | undefined
  readonly storage_class?: string
}

/** The value of a key; '' if there is none. */
export function valueAt(
  key: GroupKey,
  place: CostPlace,
  label: () => string,
  nodeType: () => string,
): string {
  if (key === 'node_type') return nodeType()
  if (key === 'kind') return place.workload?.split('/', 1)[0] ?? ''
  return isKind(key) ? (place[key] ?? '') : label()
}

const isKind = (key: GroupKey): key is GroupKind => !key.startsWith('label:')
