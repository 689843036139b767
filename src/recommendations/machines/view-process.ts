import type { Amount } from '../../decisions/processes/size-process.ts'
import { round } from '../../domain/money.ts'
import type { ProcessGroup } from '../../domain/process-group.ts'
import type { MachinePrice } from '../../pricing/reported-machine.ts'
import { type CostDriver, processCostDriver, processSpend } from './process-costs.ts'
import type { VmRecommendation } from './schema.ts'
import { noAmount, type SizedMachine, type SizedProcess } from './usage/machine.ts'

interface ProcessViewContext {
  readonly machine: SizedMachine
  readonly price: MachinePrice
  readonly costDriver: CostDriver
  readonly within: Amount
  readonly windowHours: number
}

export function viewProcess(process: SizedProcess, shown: ProcessViewContext): VmRecommendation {
  const { price, machine, windowHours } = shown
  const { subject, baseline = noAmount, current, recommended } = process
  const resource = (read: (amount: Amount) => number, perHourUsd: number): VmRecommendation['cpu'] => {
    // The cost is computed from the rounded value: 0.5 cores at 0.024 for 336 hours -> 4.032.
    const priced = (amount: Amount): VmRecommendation['cpu']['current'] => {
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
    ...(price.priceRules === undefined ? {} : { priceRules: price.priceRules }),
    priceDate: price.day ?? null,
  }
}
