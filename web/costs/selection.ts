/** What rows can be grouped by; labels are added by name. */
export const groupings = [
  ['cluster', 'Cluster'],
  ['namespace', 'Namespace'],
  ['kind', 'Kind of workload'],
  ['workload', 'Workload'],
  ['pod', 'Pod'],
  ['container', 'Container'],
  ['node', 'Node'],
  ['node_type', 'Instance type'],
  ['storage_class', 'Storage class'],
] as const

export const maxGroupings = 3

const annotation = /^annotation:/
/** The name of a label, or of an annotation, which is one with a prefix. */
export const plainLabel = (name: string): string => name.replace(annotation, '')
export const labelText = (name: string): string =>
  `${annotation.test(name) ? 'Annotation' : 'Label'} ${plainLabel(name)}`
const usual = 'namespace'

const isKnown = (name: string): boolean => /^label:.+/.test(name) || groupings.some(([each]) => each === name)

/** The part of the costs that the address names. */
export interface CostSelection {
  /** One to three names of groupings. */
  readonly by: readonly string[]
  readonly namespace: string | undefined
  /** "Kind/name"; only with a namespace. */
  readonly workload: string | undefined
  /** Values of the label that is one of the groupings; empty: all. */
  readonly values: readonly string[]
  /** How idle and shared costs are divided. */
  readonly sharing: (typeof sharings)[number][0]
  /** Whether costs of containers are left out, and with them idle costs. */
  readonly isPart: boolean
  /** Parameters that mean nothing here. */
  readonly ignored: readonly string[]
}

export const sharings = [
  ['saved', 'As set in Settings'],
  ['apart', 'Apart'],
  ['by_cost', 'Divided by cost'],
  ['evenly', 'Divided evenly'],
] as const

export function selectionOf(params: URLSearchParams): CostSelection {
  const given = params.get('by')?.split(',') ?? [usual]
  const named = [...new Set(given.filter(isKnown))].slice(0, maxGroupings)
  const by = named.length === 0 ? [usual] : named
  const namespace = params.get('namespace') ?? undefined
  const workload = namespace === undefined ? undefined : (params.get('workload') ?? undefined)
  const values = by.some((name) => name.startsWith('label:')) ? params.getAll('value') : []
  const sharing = sharings.find(([name]) => name === params.get('sharing'))?.[0] ?? 'saved'
  const ignored = given.filter((name) => !by.includes(name)).map((name) => `by=${name}`)
  return {
    ...{ by, namespace, workload, values, sharing, ignored },
    isPart: namespace !== undefined || values.length > 0,
  }
}

/** Returns the parameter for these groupings; the usual one needs none. */
export const byParam = (by: readonly string[]): string | undefined =>
  by.join() === usual || by.length === 0 ? undefined : by.join()

interface GroupKeys {
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  readonly workload: string | undefined
  readonly value: string | undefined
}

/** Returns the parameters that show what a group consists of, or undefined if nothing more is known of it. */
export function partsOf(
  { by }: Pick<CostSelection, 'by'>,
  { cluster, namespace, workload, value }: GroupKeys,
): Readonly<Record<string, string | undefined>> | undefined {
  if (by.some((name) => ['node', 'node_type', 'kind', 'pod', 'container', 'storage_class'].includes(name)))
    return undefined
  const labels = by.filter((name) => name.startsWith('label:'))
  const of = value === undefined ? {} : { value }
  const grouped = (name: string) => ({ ...of, by: byParam([name, ...labels]) })
  if (cluster === undefined) return value === undefined ? undefined : grouped('namespace')
  if (namespace === undefined) return { cluster, ...grouped('namespace') }
  if (namespace === '') return undefined
  if (workload === undefined) return { cluster, namespace, ...grouped('workload') }
  return { cluster, namespace, workload, ...grouped('container') }
}
