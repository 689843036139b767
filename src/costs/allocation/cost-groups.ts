import type { NamespaceRef } from '../../domain/subject.ts'
import { compareUtf8 } from '../../domain/text.ts'
import { type Entity, entityKey, labelAttribute } from '../../usage/digest/entities.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { Charge, CostsSink, UseSubject } from '../parts/cost-part.ts'
import { addCharge, addCosts, addIdle, CostColumns, NodeShares, usageUsd } from './cost-columns.ts'
import { type CostGrouping, type CostPlace, machineKind, valueAt } from './grouping.ts'
import { type NodeLoads, type NodePrice, type NodePrices, priceSpansIn } from './nodes.ts'
import type { TimeSteps } from './time-steps.ts'

/** Cost of what runs, or of nodes beyond what runs on them. Rows of usage come first. */
export const costTypes = ['usage', 'idle'] as const
export type CostType = (typeof costTypes)[number]

export interface RowKey {
  readonly type: CostType
  /** One for each key of the grouping; '' if there is none. */
  readonly values: readonly string[]
  /** Hours since 1970. */
  readonly fromHour: number
}

export interface CostRow {
  readonly key: RowKey
  /** Hours since 1970. */
  readonly toHour: number
  readonly columns: CostColumns
  readonly step: number
  readonly price?: NodePrice
  /** Number of hours of the step between the first and the last sample of the cluster; 0 if groups have no cluster. */
  readonly measuredHours?: number
}

interface Grouping extends Pick<CostGrouping, 'keys'> {
  readonly hours: HourRange
  readonly steps: TimeSteps
}

/** There are more groups and steps than fit in memory at once. */
export class TooManyCosts extends Error {
  override readonly name = 'TooManyCosts'
  readonly groups: number
  readonly steps: number

  constructor(groups: number, steps: number) {
    super(`${groups} groups of ${steps} steps are too many`)
    this.groups = groups
    this.steps = steps
  }
}

/** Largest number of groups x steps in memory, about 96 MB. */
const maxCells = 1_000_000

/** The instance type of a node; '' if unknown. */
export type NodeTypes = (cluster: string, node: string) => string

/** All groups of an answer. The usage and the idle cost of a group are in the same columns, and in rows of their own. */
export class CostGroups implements CostsSink {
  readonly #grouping: Grouping
  readonly #prices: NodePrices
  readonly #labels: WorkloadLabels | undefined
  readonly #nodeTypes: NodeTypes
  readonly #groups = new Map<string, { readonly values: readonly string[]; readonly columns: CostColumns }>()
  readonly #shares = new NodeShares()
  readonly #measured = new Map<string, HourRange>()

  constructor(
    grouping: Grouping,
    prices: NodePrices,
    labels: WorkloadLabels | undefined,
    nodeTypes: NodeTypes = () => '',
  ) {
    this.#grouping = grouping
    this.#prices = prices
    this.#labels = labels
    this.#nodeTypes = nodeTypes
  }

  /** Throws TooManyCosts if the groups do not fit in memory. */
  add(subject: UseSubject, workload: string, use: HourlyUse, loads: NodeLoads): void {
    const { cluster, namespace, pod, container } = subject
    const label = () => this.#labels?.valueOf(subject, workload) ?? ''
    const columnsOf = (node: string | undefined) =>
      this.#columns({ cluster, namespace, workload, pod, container, node }, label)
    const { steps } = this.#grouping
    addCosts(columnsOf, { subject, use }, steps, this.#prices, (node) => loads.columnsOf(node), this.#shares)
  }

  /** Adds the time from the first sample of a cluster to the last, in hours since 1970. */
  addMeasured(cluster: string, measured: HourRange): void {
    this.#measured.set(cluster, measured)
  }

  /** `endAt` is the time of the cluster's last sample, in seconds since 1970. */
  addIdle(cluster: string, loads: NodeLoads, endAt: number): void {
    const { steps, hours } = this.#grouping
    for (const [node, load] of loads.entries()) {
      const columns = this.#columns(idlePlace(cluster, node), noLabel)
      for (const { price, ...span } of priceSpansIn(this.#prices, cluster, node, hours))
        addIdle(columns, load, price, steps, span, endAt)
    }
  }

  addCharge(charge: Charge): void {
    const { steps, hours } = this.#grouping
    const { place } = charge
    const label = () => this.#labels?.valueOf(place, place.workload) ?? ''
    addCharge(this.#columns(place, label), charge, steps, hours)
  }

  groups(): Iterable<{ readonly values: readonly string[]; readonly columns: CostColumns }> {
    return this.#groups.values()
  }

  addTo(values: readonly string[], columns: CostColumns): void {
    this.#columnsOf(values).addAll(columns)
  }

  takeMeasured(other: CostGroups): void {
    for (const [cluster, measured] of other.#measured) this.#measured.set(cluster, measured)
  }

  /** From the first sample of any cluster to the last, in hours since 1970; empty if there is none. */
  get measured(): HourRange {
    const all = [...this.#measured.values()]
    if (all.length === 0) return { from: 0, to: 0 }
    return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) }
  }

  get measuredHours(): number {
    let [sum, until] = [0, 0]
    for (const { from, to } of [...this.#measured.values()].sort((a, b) => a.from - b.from)) {
      sum += Math.max(0, to - Math.max(from, until))
      until = Math.max(until, to)
    }
    return sum
  }

  /** Yields the rows after this key: usage, then idle cost, each in order of values and then of time. */
  *rows(after?: RowKey): Generator<CostRow> {
    const { keys, steps } = this.#grouping
    const groups = [...this.#groups.values()].sort((a, b) => compareValues(a.values, b.values))
    for (const type of costTypes.slice(after === undefined ? 0 : costTypes.indexOf(after.type)))
      for (const { values, columns } of groups) {
        const order = after?.type === type ? compareValues(values, after.values) : 1
        if (order < 0) continue
        for (let step = 0; step < steps.count; step++) {
          const { from, to } = steps.rangeAt(step)
          if ((order === 0 && from <= after!.fromHour) || isEmpty(columns, type, step)) continue
          const measuredHours = this.#measuredIn(values, { from, to })
          const price = keys.includes('node') ? { price: this.#priceAt(values, from) } : {}
          yield { key: { type, values, fromHour: from }, toHour: to, columns, step, measuredHours, ...price }
        }
      }
  }

  /** The empty name means that the node is unknown. */
  #priceAt(values: readonly string[], hour: number): NodePrice {
    const { keys } = this.#grouping
    const [cluster, node] = [values[keys.indexOf('cluster')]!, values[keys.indexOf('node')]!]
    const [span] = priceSpansIn(this.#prices, cluster, node || undefined, { from: hour, to: hour + 1 })
    return span!.price
  }

  #measuredIn(values: readonly string[], step: HourRange): number {
    const measured = this.#measured.get(values[this.#grouping.keys.indexOf('cluster')] ?? '')
    return measured === undefined ? 0 : sharedHours(measured, step)
  }

  #columns(place: CostPlace, label: () => string): CostColumns {
    const nodeType = () => (place.node === undefined ? '' : this.#nodeTypes(place.cluster, place.node))
    return this.#columnsOf(this.#grouping.keys.map((key) => valueAt(key, place, label, nodeType)))
  }

  #columnsOf(values: readonly string[]): CostColumns {
    const name = values.join('\0')
    let group = this.#groups.get(name)
    if (group === undefined) {
      const { count } = this.#grouping.steps
      const groups = this.#groups.size + 1
      if (groups * count > maxCells) throw new TooManyCosts(groups, count)
      group = { values, columns: new CostColumns(count) }
      this.#groups.set(name, group)
    }
    return group.columns
  }
}

const noLabel = () => ''

/** A machine outside clusters has idle cost of its own. */
const idlePlace = (cluster: string, node: string): CostPlace => ({
  ...{ cluster, node },
  ...(cluster === '' ? { workload: `${machineKind}/${node}` } : {}),
})

function compareValues(a: readonly string[], b: readonly string[]): number {
  for (const [index, value] of a.entries()) {
    const order = compareUtf8(value, b[index]!)
    if (order !== 0) return order
  }
  return 0
}

const sharedHours = (a: HourRange, b: HourRange): number =>
  Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from))

const isEmpty = (columns: CostColumns, type: CostType, step: number): boolean =>
  type === 'idle'
    ? columns.idleUsd[step] === 0
    : columns.sharedUsd[step] === 0 &&
      usageUsd(columns, step) === 0 &&
      columns.unpricedHours[step] === 0 &&
      columns.atMostUsd[step] === 0 &&
      columns.usedCoreHours[step] === 0 &&
      columns.usedGibHours[step] === 0

/** The values of one label of workloads and namespaces, as they were last seen. */
export class WorkloadLabels {
  readonly #entities: ReadonlyMap<string, Entity>
  readonly #attribute: string

  constructor(entities: ReadonlyMap<string, Entity>, label: string) {
    this.#entities = entities
    this.#attribute = labelAttribute(label)
  }

  /** The value for the workload, or else for its namespace, or else ''. */
  valueOf({ cluster, namespace }: NamespaceRef, workload: string): string {
    const workloadKey = entityKey({ kind: 'workload', cluster, namespace, name: workload })
    const namespaceKey = entityKey({ kind: 'namespace', cluster, namespace, name: namespace })
    return this.#valueAt(workloadKey) || this.#valueAt(namespaceKey)
  }

  #valueAt(key: string): string {
    const value = this.#entities.get(key)?.attributes.get(this.#attribute)?.value
    return typeof value === 'string' ? value : ''
  }
}
