import { matchesPattern } from '../../domain/text.ts'
import type { CostPartName } from '../parts/cost-part.ts'
import { type CostColumns, usageUsd } from './cost-columns.ts'
import type { CostGroups } from './cost-groups.ts'
import type { CostGrouping, GroupKey } from './grouping.ts'

/** apart: in rows of its own; by_cost: in proportion to cost; evenly: each namespace the same; fixed: by shares. */
export const sharingMethods = ['apart', 'by_cost', 'evenly', 'fixed'] as const
export type SharingMethod = (typeof sharingMethods)[number]

/** How cost that belongs to nobody is divided among the namespaces of its cluster, step by step. */
export interface CostSharing {
  readonly idle: SharingMethod
  readonly sharedNamespaces: readonly string[]
  readonly shared: SharingMethod
  /** Percent by namespace, for `fixed`; what they leave, and the share of a namespace that has no cost, stays apart. */
  readonly shares: Readonly<Record<string, number>>
  /** The organisation's price of a load balancer; null if it is not known. */
  readonly loadBalancerMonthUsd: number | null
  /** The price of a GiB sent to the internet, and the part of what pods send that goes there; null if not known. */
  readonly networkGibUsd: number | null
  readonly internetPercent: number | null
  readonly off: readonly CostPartName[]
}

export const nothingShared: CostSharing = {
  ...{ idle: 'apart', sharedNamespaces: [], shared: 'apart', shares: {} },
  ...{ loadBalancerMonthUsd: null, networkGibUsd: null, internetPercent: null, off: [] },
}

export const isSharing = ({ idle, shared, sharedNamespaces }: CostSharing): boolean =>
  idle !== 'apart' || (shared !== 'apart' && sharedNamespaces.length > 0)

/** The keys by which costs must be grouped to be shared: namespaces receive, whatever is asked for. */
export const sharingKeys = (keys: readonly GroupKey[]): readonly GroupKey[] => [
  'cluster',
  'namespace',
  ...keys.filter((key) => key !== 'cluster' && key !== 'namespace'),
]

/**
 * Shares the costs of groups that have the keys of sharingKeys(), and adds them to `into`. Idle cost is shared first, shared
 * namespaces then with their part of it. Nothing is added or lost.
 * Idle 3, by cost, to namespaces of 2 and 4: 1 and 2.
 */
export function shareCosts(
  from: Pick<CostGroups, 'groups'>,
  sharing: CostSharing,
  { keys, namespace }: CostGrouping,
  into: Pick<CostGroups, 'addTo'>,
): void {
  const fineKeys = sharingKeys(keys)
  const groups = [...from.groups()].map(({ values, columns }) => ({
    values,
    columns,
    namespace: values[1]!,
  }))
  for (const members of Map.groupBy(groups, ({ values }) => values[0]).values()) {
    const steps = members[0]!.columns.idleUsd.length
    for (let step = 0; step < steps; step++) shareStep(members, sharing, step)
  }
  const indices = keys.map((key) => fineKeys.indexOf(key))
  for (const { values, columns, namespace: own } of groups)
    if (namespace === undefined || own === namespace)
      into.addTo(
        indices.map((index) => values[index]!),
        columns,
      )
}

/** What each group receives of shared costs in all steps; see shareCosts. */
export function receivedCosts(
  from: CostGroups,
  sharing: CostSharing,
  grouping: CostGrouping,
): { readonly values: readonly string[]; readonly usd: number }[] {
  const apart = new Map([...from.groups()].map(({ columns }) => [columns, wholeUsd(columns)]))
  const received: { values: readonly string[]; usd: number }[] = []
  const addTo = (values: readonly string[], columns: CostColumns) =>
    received.push({ values, usd: wholeUsd(columns) - apart.get(columns)! })
  shareCosts(from, sharing, grouping, { addTo })
  return received
}

const wholeUsd = (columns: CostColumns): number =>
  columns.idleUsd.reduce(
    (sum, idleUsd, step) => sum + idleUsd + usageUsd(columns, step) + columns.sharedUsd[step]!,
    0,
  )

interface Group {
  /** '' for idle cost. */
  readonly namespace: string
  readonly columns: CostColumns
}

function shareStep(groups: readonly Group[], sharing: CostSharing, step: number): void {
  const isShared = ({ namespace }: Group): boolean =>
    sharing.shared !== 'apart' &&
    sharing.sharedNamespaces.some((pattern) => matchesPattern(pattern, namespace))
  const running = groups.filter(({ namespace, columns }) => namespace !== '' && usageUsd(columns, step) > 0)
  if (sharing.idle !== 'apart') {
    const receivers = new Receivers(running, sharing.shares, step)
    for (const { columns } of groups) {
      const part = { usd: columns.idleUsd[step]!, estimatedUsd: columns.estimatedIdleUsd[step]! }
      const left = receivers.spread(part, sharing.idle)
      columns.idleUsd[step]! *= left
      columns.estimatedIdleUsd[step]! *= left
    }
  }
  const givers = running.filter(isShared)
  if (givers.length === 0) return
  const others = running.filter((group) => !isShared(group))
  const receivers = new Receivers(others, sharing.shares, step)
  for (const { columns } of givers) {
    const usd = usageUsd(columns, step) + columns.sharedUsd[step]!
    const left = receivers.spread({ usd, estimatedUsd: columns.estimatedUsd[step]! }, sharing.shared)
    for (const name of amounts) columns[name][step]! *= left
  }
}

const amounts = ['cpuUsd', 'memoryUsd', 'gpuUsd', 'otherUsd', 'sharedUsd', 'estimatedUsd'] as const

/** Groups with cost in a step of a cluster, and what share of a cost each receives. */
class Receivers {
  readonly #groups: readonly { readonly group: Group; readonly usd: number }[]
  readonly #byNamespace = new Map<string, number>()
  readonly #shares: CostSharing['shares']
  readonly #step: number
  #totalUsd = 0

  constructor(groups: readonly Group[], shares: CostSharing['shares'], step: number) {
    this.#shares = shares
    this.#step = step
    this.#groups = groups.map((group) => ({ group, usd: usageUsd(group.columns, step) }))
    for (const { group, usd } of this.#groups) {
      this.#totalUsd += usd
      this.#byNamespace.set(group.namespace, (this.#byNamespace.get(group.namespace) ?? 0) + usd)
    }
  }

  spread(part: { readonly usd: number; readonly estimatedUsd: number }, method: SharingMethod): number {
    if (part.usd === 0) return 1
    let given = 0
    for (const { group, usd } of this.#groups) {
      const ofNamespace = this.#byNamespace.get(group.namespace)!
      const share = this.#shareOf(group.namespace, ofNamespace, method) * (usd / ofNamespace)
      group.columns.sharedUsd[this.#step]! += part.usd * share
      group.columns.estimatedUsd[this.#step]! += part.estimatedUsd * share
      given += share
    }
    const left = 1 - given
    return Math.abs(left) < 1e-12 ? 0 : left
  }

  #shareOf(namespace: string, usd: number, method: SharingMethod): number {
    if (method === 'by_cost') return usd / this.#totalUsd
    if (method === 'evenly') return 1 / this.#byNamespace.size
    // A namespace may be called constructor, which every object has.
    return method === 'fixed' && Object.hasOwn(this.#shares, namespace) ? this.#shares[namespace]! / 100 : 0
  }
}
