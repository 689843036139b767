import { hourSeconds } from './hourly-use.ts'
import { type Load, type NodeLoads, shareWithin } from './node-loads.ts'
import { type NodePrice, type NodePrices, priceOf } from './node-prices.ts'
import type { PodUsage } from './pod-usage.ts'

/** Requests in cores and GiB; undefined: as they are. */
export interface Requests {
  readonly cpu: number | undefined
  readonly memory: number | undefined
}

export const asTheyAre: Requests = { cpu: undefined, memory: undefined }

export interface Spend {
  readonly cpuUsd: number
  readonly memoryUsd: number
}

/** What is on a node in an hour; undefined: nobody looks whether it is too much. */
export type LoadAt = ((node: string, hour: number) => Load) | undefined

/**
 * Over containers and hours: max(request, mean usage) x price. Where everything on a node comes to more than the node costs,
 * each gets its part of the node's price. 2 cores and 4 GiB for 3 hours at 0.03 and 0.004: 3 x (0.06 + 0.016) -> 0.228.
 */
export function spendOf(
  pods: readonly PodUsage[],
  requests: Requests,
  prices: NodePrices,
  loadAt: LoadAt,
): Spend {
  let [cpuUsd, memoryUsd] = [0, 0]
  for (const { subject, use } of pods)
    for (const { from, to, setting } of use.steps()) {
      const price = priceOf(prices, subject.cluster, setting.node)
      const limited = loadAt !== undefined && setting.node !== undefined && price.perHourUsd !== null
      const [cpu, memory] = askedFor(setting, requests)
      for (let index = from; index < to; index++) {
        const share = limited ? shareWithin(price, loadAt(setting.node!, use.hours[index]!)) : 1
        const hours = (use.seconds[index]! / hourSeconds) * share
        cpuUsd += Math.max(cpu, use.cores[index]!) * hours * price.corePerHourUsd
        memoryUsd += Math.max(memory, use.gib[index]!) * hours * price.gibPerHourUsd
      }
    }
  return { cpuUsd, memoryUsd }
}

/** Adds what containers keep from others on their nodes: the greater of request and mean usage, while they ran. */
export function addLoads(into: NodeLoads, { use }: Pick<PodUsage, 'use'>): void {
  for (const { from, to, setting } of use.steps()) {
    if (setting.node === undefined) continue
    const [cpu, memory] = askedFor(setting, asTheyAre)
    for (let index = from; index < to; index++) {
      const hours = use.seconds[index]! / hourSeconds
      const cores = Math.max(cpu, use.cores[index]!) * hours
      into.add(setting.node, use.hours[index]!, cores, Math.max(memory, use.gib[index]!) * hours)
    }
  }
}

/** Adds by how much other requests would change that. */
export function addChange(into: NodeLoads, pods: readonly PodUsage[], requests: Requests): void {
  if (requests.cpu === undefined && requests.memory === undefined) return
  for (const { use } of pods)
    for (const { from, to, setting } of use.steps()) {
      if (setting.node === undefined) continue
      const [cpu, memory] = askedFor(setting, asTheyAre)
      const [newCpu, newMemory] = askedFor(setting, requests)
      for (let index = from; index < to; index++) {
        const hours = use.seconds[index]! / hourSeconds
        const [cores, gib] = [use.cores[index]!, use.gib[index]!]
        into.add(
          setting.node,
          use.hours[index]!,
          (Math.max(newCpu, cores) - Math.max(cpu, cores)) * hours,
          (Math.max(newMemory, gib) - Math.max(memory, gib)) * hours,
        )
      }
    }
}

/** What one core and one GiB of all pods cost over the hours they ran. */
export function unitUsd(pods: readonly PodUsage[], prices: NodePrices): { cpu: number; memory: number } {
  let [cpu, memory] = [0, 0]
  for (const { subject, use } of pods)
    for (const { from, to, setting } of use.steps()) {
      const price: NodePrice = priceOf(prices, subject.cluster, setting.node)
      const hours = use.hoursRun(from, to)
      cpu += hours * price.corePerHourUsd
      memory += hours * price.gibPerHourUsd
    }
  return { cpu, memory }
}

type Asked = readonly [cpu: number, memory: number]

const askedFor = (
  setting: { cpuRequestCores: number | undefined; memoryRequestGib: number | undefined },
  requests: Requests,
): Asked => [requests.cpu ?? setting.cpuRequestCores ?? 0, requests.memory ?? setting.memoryRequestGib ?? 0]
