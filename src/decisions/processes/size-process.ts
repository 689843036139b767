import { publicPolicyNamed } from '../../rightsizing/estimators/public-policies.ts'
import { resourceHistory, viewAt } from '../../rightsizing/history/history.ts'
import type { Resource, UsageSpan } from '../../rightsizing/input.ts'
import { floors } from '../../rightsizing/model/grid.ts'
import type { Band, ResourcePrices, Workload } from '../../rightsizing/workload.ts'

/** Cores and GiB. */
export interface Amount {
  readonly cores: number
  readonly gib: number
}

export interface SizeBand {
  readonly target: Amount
  readonly lower: Amount
  readonly upper: Amount
}

export type ProcessAdvisor = (
  workload: Workload,
  moment: { readonly atHour: number; readonly prices: ResourcePrices },
) => Readonly<Record<'cpu' | 'memory', Band | null>>

/**
 * Most processes of a machine are idle all the time. One that stays below the minimum size with a margin of a quarter
 * gets its highest usage as its size, so a longer analysis would not change the result.
 */
export const minAnalysedSize: Amount = { cores: floors.cpu / 1.25, gib: floors.memory / 1.25 }

interface ProcessHistory {
  spans(): readonly UsageSpan[]
  /** Usage that was not exceeded for 99% of the time (CPU), or never (memory). */
  readonly high: Amount
}

export function sizeProcess(advise: ProcessAdvisor, history: ProcessHistory, atHour: number): SizeBand {
  const { high } = history
  if (high.cores < minAnalysedSize.cores && high.gib < minAnalysedSize.gib)
    return { target: high, lower: high, upper: high }
  const spans = history.spans()
  const recommendation = advise({ spans }, { atHour, prices: free })
  const sized = (resource: Resource, target: number | undefined, highest: number): number => {
    const size = target ?? fromLittle(resource, spans, atHour)
    // The minimum size is meant for containers. A machine may have hundreds of idle processes, so these get no more
    // than they used.
    return size <= minSize(resource) ? Math.min(size, highest) : size
  }
  const at = (place: keyof Band): Amount => ({
    cores: sized('cpu', recommendation.cpu?.[place], high.cores),
    gib: sized('memory', recommendation.memory?.[place], high.gib),
  })
  return { target: at('target'), lower: at('lower'), upper: at('upper') }
}

/**
 * A few minutes of data are too little for a container, which would be restarted for the change. Sizing a process
 * changes nothing, so a simple policy is used; it leaves a fifth free.
 */
function fromLittle(resource: Resource, spans: readonly UsageSpan[], atHour: number): number {
  return simple[resource](viewAt(resourceHistory(spans, resource), atHour)).value ?? 0
}

const simple = publicPolicyNamed('azure-advisor')!

/** Sizes are rounded up to millicores and MiB. */
const minSize = (resource: Resource): number => floors[resource] + (resource === 'cpu' ? 0.001 : 1 / 1024)

/** Prices are 0 because no request is set, so that no change is too small to be worthwhile. */
const free = { corePerHourUsd: 0, gibPerHourUsd: 0 }
