import type { Amount } from '../../decisions/processes/size-process.ts'
import { round } from '../../domain/money.ts'
import type { MachinePrice } from '../../pricing/reported-machine.ts'
import { type SizedMachine, sumOf } from './usage/machine.ts'

export type CostDriver = 'cpu' | 'memory'

/**
 * Returns the resource that makes up more of a machine's price: 2 cores at 0.03 and 4 GiB at 0.004 -> cpu (0.06,
 * 0.016). If the size of the machine is unknown, the usage of its processes is used instead.
 */
export function costDriverOf(price: MachinePrice, machine: SizedMachine): CostDriver {
  const used = sumOf(machine.processes, ({ mean }) => mean)
  const known = price.cores !== undefined && price.gib !== undefined
  const { cores, gib } = known ? { cores: price.cores, gib: price.gib } : used
  return cores * price.corePerHourUsd >= gib * price.gibPerHourUsd ? 'cpu' : 'memory'
}

export function processCostDriver(
  { cores, gib }: Amount,
  price: MachinePrice,
  ofMachine: CostDriver,
): CostDriver {
  const [cpuUsd, memoryUsd] = [cores * price.corePerHourUsd, gib * price.gibPerHourUsd]
  return cpuUsd === memoryUsd ? ofMachine : cpuUsd > memoryUsd ? 'cpu' : 'memory'
}

/**
 * A process's share of a machine's price: the parts of its cores and GiB that the process used, on average over the
 * hours in which the machine was measured. Only those hours count.
 * 0.5 of 2 cores and 1 of 4 GiB at 0.03 and 0.004 for 10 hours: 10 x (0.015 + 0.004) -> 0.19.
 * All shares together never exceed the price of the machine, even if some memory is counted for two processes.
 */
export function processSpend(
  mean: Amount,
  within: Amount,
  price: MachinePrice,
  measuredHours: number,
): number {
  const perHour =
    mean.cores * within.cores * price.corePerHourUsd + mean.gib * within.gib * price.gibPerHourUsd
  return perHour * measuredHours
}

/**
 * What a machine cost in the measured hours: its processes and the rest that none of them used, which add up to its price.
 * Undefined if its price is not known. 0.124 an hour for 10 hours with processes of 0.19: 1.24 = 0.19 + 1.05.
 */
export function machineSpend(price: MachinePrice, machine: SizedMachine): MachineSpend | undefined {
  if (price.perHourUsd === null) return undefined
  const within = scaleToMachine(price, machine)
  const all = machine.processes.reduce(
    (sum, { mean }) => sum + processSpend(mean, within, price, machine.measuredHours),
    0,
  )
  const total = round(price.perHourUsd * machine.measuredHours, 6)
  const processes = Math.min(total, round(all, 6))
  return { total, processes, unused: round(total - processes, 6) }
}

interface MachineSpend {
  readonly total: number
  readonly processes: number
  readonly unused: number
}

/** Returns the factors by which usage is reduced so that all of it fits into the machine; 1 if it fits. */
export function scaleToMachine(price: MachinePrice, machine: SizedMachine): Amount {
  const used = sumOf(machine.processes, ({ mean }) => mean)
  const cut = (size: number | undefined, all: number): number =>
    size === undefined || all <= size ? 1 : size / all
  return { cores: cut(price.cores, used.cores), gib: cut(price.gib, used.gib) }
}
