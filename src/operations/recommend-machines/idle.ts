import type { SizedMachine } from './machine.ts'
import type { MachinePrice } from './machine-price.ts'

/** A day at least: a machine that works by night is not idle at noon. */
const leastHours = 24
/** Share of the cores below which a machine is idle, as in Azure Advisor's rule for shutting down machines (learn.microsoft.com/azure/advisor). */
const idleShare = 0.03

/** Whether nearly nothing ran on it: in nineteen of twenty hours its processes used less than 3% of its cores. */
export function isIdle(machine: SizedMachine, price: MachinePrice): boolean {
  return machine.watchedHours >= leastHours && machine.busyCores < idleShare * (price.cores ?? 1)
}
