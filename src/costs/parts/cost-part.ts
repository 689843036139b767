import type { NamespaceRef } from '../../domain/subject.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { CostPlace } from '../allocation/grouping.ts'
import type { NodeLoads } from '../allocation/nodes.ts'

/**
 * A part of the bill besides containers and their nodes. To add one: implement this (machine-costs.ts is an example), add its
 * name to costPartNames, and list it in costParts() of src/server/wiring/sizes-part.ts. Rows, charts, CSV, FOCUS, forecasts and changes then hold
 * it, and organisations can switch it off.
 */
export interface CostPart {
  readonly name: CostPartName
  /** Adds everything that the query selects. A part that has no cluster or namespace adds nothing where one is given. */
  collect(organisation: string, query: CostPartQuery, sink: CostsSink, yielder: Yielder): Promise<void>
}

export const costPartNames = ['containers', 'machines', 'volumes', 'load_balancers', 'network'] as const
export type CostPartName = (typeof costPartNames)[number]

export interface CostPartQuery {
  readonly hours: HourRange
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  readonly off?: readonly CostPartName[]
}

/** What costs are added to: rows of a report, or one of two periods that are compared. */
export interface CostsSink {
  /**
   * What ran, at the price of its node by use. Processes of machines have the cluster '', and a use with the machine as node;
   * prices of machines are those of nodes of the cluster ''.
   */
  add(subject: UseSubject, workload: string, use: HourlyUse, loads: NodeLoads): void
  /** What the nodes cost beyond what ran on them. `endAt` is the time of the last sample, in seconds since 1970. */
  addIdle(cluster: string, loads: NodeLoads, endAt: number): void
  addCharge(charge: Charge): void
  /** From the first sample of a cluster to the last, in hours since 1970. */
  addMeasured(cluster: string, measured: HourRange): void
}

export interface UseSubject extends NamespaceRef {
  readonly pod: string
  readonly container: string
}

/** Something that costs the same in each hour of a range, such as a volume: GiB times the price of one for an hour. */
export interface Charge {
  /** The workload is Kind/name of the thing itself, such as PersistentVolumeClaim/data. */
  readonly place: CostPlace & NamespaceRef & { readonly workload: string }
  /** Hours since 1970, which may have fractions. */
  readonly hours: HourRange
  /** What has the same unit price, such as the class of a volume. */
  readonly priceKind: string
  readonly units: number
  /** Null without a price: its hours are shown, and are in no cost. */
  readonly unitPerHourUsd: number | null
  /** Stands beside the costs instead: nobody knows which part of the units is charged. */
  readonly atMostPerHourUsd?: number
  readonly isEstimate?: boolean
}

/** Adds everything to two sinks. */
export const bothSinks = (one: CostsSink, other: CostsSink): CostsSink => ({
  add(...args) {
    for (const sink of [one, other]) sink.add(...args)
  },
  addIdle(...args) {
    for (const sink of [one, other]) sink.addIdle(...args)
  },
  addCharge(charge) {
    for (const sink of [one, other]) sink.addCharge(charge)
  },
  addMeasured(...args) {
    for (const sink of [one, other]) sink.addMeasured(...args)
  },
})
