import type { Clock } from '../../../domain/time.ts'
import type { Band, ResourcePrices, Workload } from '../../../rightsizing/workload.ts'
import type { UsageStore } from '../../../usage/port.ts'

export interface ReadingDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'entities' | 'lateUsageAt'> }
  readonly now: Clock
  /** Returns the function that sizes an organisation's processes. */
  advisor(organisation: string): Promise<ProcessAdvisor>
}

/** Returns the recommended request with its bounds; null without enough data. */
export type ProcessAdvisor = (
  workload: Workload,
  moment: { readonly atHour: number; readonly prices: ResourcePrices },
) => Readonly<Record<'cpu' | 'memory', Band | null>>
