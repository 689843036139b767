import { addCosts, addIdle, CostColumns } from '../../allocation/cost-columns.ts'
import { type NodePrice, type NodePrices, nodePriceOf } from '../../allocation/node-prices.ts'
import { spansUntilHour } from '../../cluster-usage/namespace-reading.ts'
import type { ClusterLoads } from '../../cluster-usage/node-load-cache.ts'
import { Problem } from '../../domain/problem.ts'
import type { ContainerSubject, NamespaceRef } from '../../domain/subject.ts'
import { compareUtf8 } from '../../domain/text.ts'
import { type Entity, entityKey, labelAttribute, readEntities } from '../../usage/digest/entities.ts'
import type { UsageStore } from '../../usage/port.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { CostRow } from './cost-row.ts'
import type { CostsSelection, RowPlace } from './query.ts'

/** About 72 MB. */
const mostCells = 1_000_000

interface CostGroup {
  readonly name: string
  readonly columns: CostColumns
}

/** Groups whose rows are written together: those of a namespace, of a cluster, or of all of them. */
export class CostGroups {
  readonly #of: NamespaceRef
  readonly #query: CostsSelection
  readonly #prices: NodePrices
  readonly #labels: WorkloadLabels | undefined
  readonly #groups = new Map<string, CostGroup>()
  #measured: HourRange | undefined

  constructor(
    of: NamespaceRef,
    query: CostsSelection,
    prices: NodePrices,
    labels: WorkloadLabels | undefined,
  ) {
    this.#of = of
    this.#query = query
    this.#prices = prices
    this.#labels = labels
  }

  add(subject: ContainerSubject, workload: string, use: HourlyUse, { loads }: ClusterLoads): void {
    const { groupBy, steps } = this.#query
    const nameOf = {
      cluster: () => '',
      namespace: () => '',
      workload: () => workload,
      node: (node: string | undefined) => node ?? '',
      label: () => this.#labels!.valueOf(subject, workload),
    }[groupBy.kind]
    const columnsOf = (node: string | undefined) => this.#columns(nameOf(node))
    addCosts(columnsOf, { subject, use }, steps, this.#prices, (node) => loads.of(node))
  }

  /** Once all of a cluster is added. */
  addIdle(cluster: string, { loads, endAt, firstHour }: ClusterLoads): void {
    const { groupBy, steps, hours } = this.#query
    this.#measured = { from: firstHour, to: spansUntilHour({ endAt }, hours) }
    for (const [node, load] of loads.entries()) {
      const price = this.#prices.of(cluster, node)
      addIdle(this.#columns(groupBy.kind === 'node' ? node : ''), load, price, steps, hours, endAt)
    }
  }

  /** In order of name, then of time, after this place. */
  *rows(after: RowPlace | undefined): Generator<CostRow> {
    const { steps } = this.#query
    const isHere = after?.cluster === this.#of.cluster && after.namespace === this.#of.namespace
    for (const name of [...this.#groups.keys()].sort(compareUtf8)) {
      const order = isHere ? compareUtf8(name, after.name) : 1
      if (order < 0) continue
      const price = this.#query.groupBy.kind === 'node' ? { price: this.#priceOf(name) } : {}
      for (let step = 0; step < steps.count; step++) {
        const { from, to } = steps.rangeAt(step)
        if (order === 0 && from <= after!.fromHour) continue
        const place = { ...this.#of, name, fromHour: from }
        const { columns } = this.#groups.get(name)!
        const measuredHours = this.#measured === undefined ? 0 : sharedHours(this.#measured, { from, to })
        if (!isEmpty(columns, step)) yield { place, toHour: to, columns, step, measuredHours, ...price }
      }
    }
  }

  /** '' is no node. */
  #priceOf(node: string): NodePrice {
    return nodePriceOf(this.#prices, this.#of.cluster, node || undefined)
  }

  #columns(name: string): CostColumns {
    let group = this.#groups.get(name)
    if (group === undefined) {
      const { count } = this.#query.steps
      if ((this.#groups.size + 1) * count > mostCells) throw tooManyRows(this.#groups.size + 1, count)
      group = { name, columns: new CostColumns(count) }
      this.#groups.set(name, group)
    }
    return group.columns
  }
}

const sharedHours = (a: HourRange, b: HourRange): number =>
  Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from))

const isEmpty = (columns: CostColumns, step: number): boolean =>
  columns.cpuUsd[step] === 0 &&
  columns.memoryUsd[step] === 0 &&
  columns.idleUsd[step] === 0 &&
  columns.usedCoreHours[step] === 0 &&
  columns.usedGibHours[step] === 0

const tooManyRows = (groups: number, steps: number): Problem =>
  new Problem(
    'invalid',
    `More than ${groups} groups of ${steps} steps each are too many for one request: choose a longer step, a shorter period, or one cluster or namespace.`,
    { errors: [{ pointer: '?step', message: 'is too short for so many groups' }] },
  )

/** The values of one label, as they were last seen. */
class WorkloadLabels {
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
