import type { HourOfUse } from './hourly-use.ts'
import { type Load, type NodeLoads, shareWithin } from './node-loads.ts'
import { type NodePrices, priceOf } from './node-prices.ts'
import type { PodUsage } from './pod-usage.ts'

/** Requests in cores and GiB; undefined: as they are. */
export interface Requests {
  readonly cpu: number | undefined
  readonly memory: number | undefined
}

export const asTheyAre: Requests = { cpu: undefined, memory: undefined }

/** What a container keeps from others in an hour: the greater of its request and its mean usage, while it ran. */
export function loadOf(hour: HourOfUse, requests: Requests = asTheyAre): Load {
  const cores = Math.max(requests.cpu ?? hour.cpuRequestCores ?? 0, hour.cores)
  const gib = Math.max(requests.memory ?? hour.memoryRequestGib ?? 0, hour.gib)
  return { cores: cores * hour.share, gib: gib * hour.share }
}

export interface Spend {
  readonly cpuUsd: number
  readonly memoryUsd: number
}

/**
 * Over containers and hours: max(request, mean usage) x price. Where everything on a node comes to more than the node costs,
 * each gets its part of the node's price. 2 cores and 4 GiB for 3 hours at 0.03 and 0.004: 3 x (0.06 + 0.016) -> 0.228.
 */
export function spendOf(
  pods: readonly PodUsage[],
  requests: Requests,
  prices: NodePrices,
  loadAt: (node: string, hour: number) => Load,
): Spend {
  let cpuUsd = 0
  let memoryUsd = 0
  for (const { subject, use } of pods)
    for (const hour of use) {
      const price = priceOf(prices, subject.cluster, hour.node)
      const { cores, gib } = loadOf(hour, requests)
      const share = hour.node === undefined ? 1 : shareWithin(price, loadAt(hour.node, hour.hour))
      cpuUsd += cores * price.corePerHourUsd * share
      memoryUsd += gib * price.gibPerHourUsd * share
    }
  return { cpuUsd, memoryUsd }
}

/** Takes down by how much loads would change with other requests. */
export function addChange(into: NodeLoads, pods: readonly PodUsage[], requests: Requests): void {
  if (requests.cpu === undefined && requests.memory === undefined) return
  for (const { use } of pods)
    for (const hour of use) {
      if (hour.node === undefined) continue
      const [now, then] = [loadOf(hour), loadOf(hour, requests)]
      into.add(hour.node, hour.hour, then.cores - now.cores, then.gib - now.gib)
    }
}

export function addLoads(into: NodeLoads, { use }: PodUsage): void {
  for (const hour of use) {
    if (hour.node === undefined) continue
    const { cores, gib } = loadOf(hour)
    into.add(hour.node, hour.hour, cores, gib)
  }
}
