import type { NodePriceSource } from '../allocation/nodes.ts'
import { round } from '../domain/money.ts'
import type { ProcessGroup } from '../domain/process-group.ts'
import type { Amount, SizedMachine, SizedProcess } from '../machine-usage/machine.ts'
import type { MachinePrice } from '../market/reported-machine.ts'
import { type CostDriver, processCostDriver, processSpend } from './process-costs.ts'

/** The members down to `memory` are part of the contract. */
export interface VmRecommendation {
  readonly vm: string
  readonly process: string
  readonly processGroup: ProcessGroup
  readonly cgroup: string
  readonly costDriver: CostDriver
  readonly currentSpend: number
  readonly creationTime: string
  readonly cpu: ResourceView
  readonly memory: ResourceView
  readonly priceSource: NodePriceSource
  /** Day of a listed price. */
  readonly priceDate: string | null
}

export interface ResourceView {
  readonly baseline: PricedValue
  readonly current: PricedValue
  readonly recommended: PricedValue
}

/** Cores or GiB, and their cost over the window. */
export interface PricedValue {
  readonly costInDollars: number
  readonly value: number
}

/** What all processes of a machine have in common. */
interface ProcessViewContext {
  readonly machine: SizedMachine
  readonly price: MachinePrice
  /** The cost driver of the machine. */
  readonly costDriver: CostDriver
  readonly within: Amount
  readonly windowHours: number
}

export function viewProcess(process: SizedProcess, shown: ProcessViewContext): VmRecommendation {
  const { price, machine, windowHours } = shown
  const { subject, baseline, current, recommended } = process
  const resource = (read: (amount: Amount) => number, perHourUsd: number): ResourceView => {
    // The cost is computed from the rounded value: 0.5 cores at 0.024 for 336 hours -> 4.032.
    const priced = (amount: Amount): PricedValue => {
      const value = round(read(amount), 6)
      return { costInDollars: round(value * perHourUsd * windowHours, 6), value }
    }
    return { baseline: priced(baseline), current: priced(current), recommended: priced(recommended) }
  }
  return {
    vm: machine.vm,
    process: subject.process,
    processGroup: subject.group as ProcessGroup,
    cgroup: subject.cgroup,
    costDriver: processCostDriver(process.mean, price, shown.costDriver),
    currentSpend: round(processSpend(process.mean, shown.within, price, machine.measuredHours), 6),
    creationTime: new Date(machine.createdAt).toISOString(),
    cpu: resource(({ cores }) => cores, price.corePerHourUsd),
    memory: resource(({ gib }) => gib, price.gibPerHourUsd),
    priceSource: price.source,
    priceDate: price.day ?? null,
  }
}
