import type { Clock } from '../domain/time.ts'
import type { Band, ResourcePrices, Workload } from '../rightsizing/workload.ts'
import type { UsageStore } from '../usage/port.ts'

/** What reading machines needs. */
export interface ReadingDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'entities' | 'lateUsageAt'> }
  readonly now: Clock
  /** How big an organisation's containers and processes should be. */
  advisor(organisation: string): Promise<ProcessAdvisor>
}

/** The recommended request with its bounds; null without enough data. */
export type ProcessAdvisor = (
  workload: Workload,
  moment: { readonly atHour: number; readonly prices: ResourcePrices },
) => Readonly<Record<'cpu' | 'memory', Band | null>>
