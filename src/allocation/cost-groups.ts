import type { ContainerSubject, NamespaceRef } from '../domain/subject.ts'
import { compareUtf8 } from '../domain/text.ts'
import { type Entity, entityKey, labelAttribute } from '../usage/digest/entities.ts'
import type { HourlyUse } from '../usage/reading/hourly-use.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { addCosts, addIdle, CostColumns } from './cost-columns.ts'
import { type NodeLoads, type NodePrice, type NodePrices, nodePriceOf } from './nodes.ts'
import type { TimeSteps } from './time-steps.ts'

/** The position of a row in the order of rows. */
export interface RowKey {
  readonly cluster: string
  readonly namespace: string
  /** The workload, node or value of the label; '' if the group has none. */
  readonly name: string
  /** Hours since 1970. */
  readonly fromHour: number
}

/** One step of one group. */
export interface CostRow {
  readonly key: RowKey
  /** Hours since 1970. */
  readonly toHour: number
  readonly columns: CostColumns
  readonly step: number
  /** Present only if groups are nodes. */
  readonly price?: NodePrice
  /**
   * Number of hours of the step between the first and the last sample of the cluster; 0 if idle cost is not computed.
   */
  readonly measuredHours?: number
}

/** What the groups are. */
export type GroupBy =
  | { readonly kind: 'cluster' | 'namespace' | 'workload' | 'node' }
  | { readonly kind: 'label'; readonly label: string }

interface Grouping {
  readonly groupBy: Pick<GroupBy, 'kind'>
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

/** Largest number of groups x steps in memory, about 88 MB. */
const maxCells = 1_000_000

/** Groups whose rows are written together: those of a namespace, of a cluster, or of all clusters. */
export class CostGroups {
  readonly #scope: NamespaceRef
  readonly #grouping: Grouping
  readonly #prices: NodePrices
  readonly #labels: WorkloadLabels | undefined
  readonly #groups = new Map<string, CostColumns>()
  #measured: HourRange | undefined

  constructor(
    scope: NamespaceRef,
    grouping: Grouping,
    prices: NodePrices,
    labels: WorkloadLabels | undefined,
  ) {
    this.#scope = scope
    this.#grouping = grouping
    this.#prices = prices
    this.#labels = labels
  }

  /** Throws TooManyCosts if the groups do not fit in memory. */
  add(subject: ContainerSubject, workload: string, use: HourlyUse, loads: NodeLoads): void {
    const { groupBy, steps } = this.#grouping
    const nameOf = {
      cluster: () => '',
      namespace: () => '',
      workload: () => workload,
      node: (node: string | undefined) => node ?? '',
      label: () => this.#labels!.valueOf(subject, workload),
    }[groupBy.kind]
    const columnsOf = (node: string | undefined) => this.#columns(nameOf(node))
    addCosts(columnsOf, { subject, use }, steps, this.#prices, (node) => loads.columnsOf(node))
  }

  /**
   * Called once all containers of a cluster are added. `endAt` is the time of its last sample, in seconds since 1970.
   */
  addIdle(cluster: string, loads: NodeLoads, measured: HourRange, endAt: number): void {
    const { groupBy, steps, hours } = this.#grouping
    this.#measured = measured
    for (const [node, load] of loads.entries()) {
      const price = this.#prices.priceOf(cluster, node)
      addIdle(this.#columns(groupBy.kind === 'node' ? node : ''), load, price, steps, hours, endAt)
    }
  }

  /** Yields the rows after this key, in order of name and then of time. */
  *rows(after: RowKey | undefined): Generator<CostRow> {
    const { groupBy, steps } = this.#grouping
    const isHere = after?.cluster === this.#scope.cluster && after.namespace === this.#scope.namespace
    for (const name of [...this.#groups.keys()].sort(compareUtf8)) {
      const order = isHere ? compareUtf8(name, after.name) : 1
      if (order < 0) continue
      const columns = this.#groups.get(name)!
      const price = groupBy.kind === 'node' ? { price: this.#priceOf(name) } : {}
      for (let step = 0; step < steps.count; step++) {
        const { from, to } = steps.rangeAt(step)
        if (order === 0 && from <= after!.fromHour) continue
        const key = { ...this.#scope, name, fromHour: from }
        const measuredHours = this.#measured === undefined ? 0 : sharedHours(this.#measured, { from, to })
        if (!isEmpty(columns, step)) yield { key, toHour: to, columns, step, measuredHours, ...price }
      }
    }
  }

  /** The empty name means that the node is unknown. */
  #priceOf(node: string): NodePrice {
    return nodePriceOf(this.#prices, this.#scope.cluster, node || undefined)
  }

  #columns(name: string): CostColumns {
    let columns = this.#groups.get(name)
    if (columns === undefined) {
      const { count } = this.#grouping.steps
      const groups = this.#groups.size + 1
      if (groups * count > maxCells) throw new TooManyCosts(groups, count)
      columns = new CostColumns(count)
      this.#groups.set(name, columns)
    }
    return columns
  }
}

const sharedHours = (a: HourRange, b: HourRange): number =>
  Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from))

const isEmpty = (columns: CostColumns, step: number): boolean =>
  columns.cpuUsd[step] === 0 &&
  columns.memoryUsd[step] === 0 &&
  columns.gpuUsd[step] === 0 &&
  columns.idleUsd[step] === 0 &&
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
