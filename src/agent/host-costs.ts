import { baseRates, hoursPerMonth } from '../domain/money.ts'
import type { HostScan, ProcessUse } from './scan-once.ts'

export interface UnitPrice {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
  /** Source of the price, for display. */
  readonly source: string
}

export interface HostCosts {
  readonly perMonthUsd: number
  /** Cost of unused cores and memory. */
  readonly unusedPerMonthUsd: number
  /** Cost of memory held by processes that used no CPU during the measurement. */
  readonly idlePerMonthUsd: number
  readonly processes: readonly (ProcessUse & {
    readonly perMonthUsd: number
    readonly idlePerMonthUsd: number
  })[]
}

export const basePrice: UnitPrice = { ...baseRates, source: 'base rates' }

/** Monthly cost if every hour were like this measurement; most expensive processes first. */
export function hostCosts(scan: HostScan, price: UnitPrice): HostCosts {
  const corePerMonth = price.corePerHourUsd * hoursPerMonth
  const bytePerMonth = (price.gibPerHourUsd * hoursPerMonth) / 2 ** 30
  const processes = scan.processes
    .map((use) => {
      const memoryUsd = use.memoryBytes * bytePerMonth
      return {
        ...use,
        perMonthUsd: use.cores * corePerMonth + memoryUsd,
        idlePerMonthUsd: use.cores < idleCores ? memoryUsd : 0,
      }
    })
    .sort((a, b) => b.perMonthUsd - a.perMonthUsd)
  const usedCores = scan.processes.reduce((sum, use) => sum + use.cores, 0)
  return {
    perMonthUsd: scan.cores * corePerMonth + scan.memoryBytes * bytePerMonth,
    unusedPerMonthUsd:
      Math.max(0, scan.cores - usedCores) * corePerMonth + scan.availableMemoryBytes * bytePerMonth,
    idlePerMonthUsd: processes.reduce((sum, { idlePerMonthUsd }) => sum + idlePerMonthUsd, 0),
    processes,
  }
}

/** A process that uses less CPU than this is considered idle. */
const idleCores = 0.001
