import { type Amount, type SizedMachine, sumOf } from '../../machine-usage/machine.ts'
import type { MachinePrice } from '../../market/reported-machine.ts'

export type CostDriver = 'cpu' | 'memory'

/**
 * Which of its two resources costs more of a machine's price: 2 cores at 0.03 and 4 GiB at 0.004 -> cpu (0.06, 0.016).
 * If its size is not known, the usage of its processes stands for it.
 */
export function costDriverOf(price: MachinePrice, machine: SizedMachine): CostDriver {
  const used = sumOf(machine.processes, ({ mean }) => mean)
  const known = price.cores !== undefined && price.gib !== undefined
  const { cores, gib } = known ? { cores: price.cores, gib: price.gib } : used
  return cores * price.corePerHourUsd >= gib * price.gibPerHourUsd ? 'cpu' : 'memory'
}

/** Which of the two costs more of what a process used; that of the machine where it used nothing. */
export function processCostDriver(
  { cores, gib }: Amount,
  price: MachinePrice,
  ofMachine: CostDriver,
): CostDriver {
  const [cpuUsd, memoryUsd] = [cores * price.corePerHourUsd, gib * price.gibPerHourUsd]
  return cpuUsd === memoryUsd ? ofMachine : cpuUsd > memoryUsd ? 'cpu' : 'memory'
}

/**
 * A process's share of a machine's price: of its cores and of its GiB the part that the process had, on average over the
 * hours the machine was watched, and only those hours count.
 * 0.5 of 2 cores and 1 of 4 GiB at 0.03 and 0.004 for 10 hours: 10 x (0.015 + 0.004) -> 0.19.
 * Shares never come to more than the machine, although memory that is counted twice may.
 */
export function processSpend(
  mean: Amount,
  within: Amount,
  price: MachinePrice,
  watchedHours: number,
): number {
  const perHour =
    mean.cores * within.cores * price.corePerHourUsd + mean.gib * within.gib * price.gibPerHourUsd
  return perHour * watchedHours
}

/** By how much uses are cut so that all of them fit into the machine; 1 where they do. */
export function scaleToMachine(price: MachinePrice, machine: SizedMachine): Amount {
  const used = sumOf(machine.processes, ({ mean }) => mean)
  const cut = (size: number | undefined, all: number): number =>
    size === undefined || all <= size ? 1 : size / all
  return { cores: cut(price.cores, used.cores), gib: cut(price.gib, used.gib) }
}
