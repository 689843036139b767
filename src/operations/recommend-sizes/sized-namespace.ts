import type { Advisor } from './advice.ts'
import type { Breath } from './breath.ts'
import { type Container, containersOf } from './containers.ts'
import type { ClusterFacts, HardQuota } from './facts.ts'
import type { NodeLoads } from './node-loads.ts'
import { type NodePrices, priceOf } from './node-prices.ts'
import type { NamespaceUsage } from './read-namespaces.ts'
import { sizeContainer } from './size-container.ts'
import type { PricedContainer } from './sized-container.ts'
import { addChange, asTheyAre, spendOf } from './spend.ts'

export interface SizedNamespace {
  readonly cluster: string
  readonly namespace: string
  readonly containers: readonly PricedContainer[]
  readonly hardQuota: HardQuota
  /** Nodes its pods ran on. */
  readonly nodes: ReadonlySet<string>
}

export interface Sizing {
  readonly advise: Advisor
  readonly prices: NodePrices
  readonly facts: ClusterFacts
  /** What all recommendations of an answer would change on the nodes of the cluster. */
  readonly changes: NodeLoads
  readonly breath: Breath
}

/** Its new spend is worked out as if every node had room; see withinNodes. */
export async function sizeNamespace(usage: NamespaceUsage, sizing: Sizing): Promise<SizedNamespace> {
  const { cluster, namespace, loads } = usage
  const { advise, prices, facts, changes, breath } = sizing
  const containers: PricedContainer[] = []
  const nodes = new Set<string>()
  for (const container of containersOf(usage.pods)) {
    const sized = sizeContainer(container, advise, {
      latestHour: usage.latestHour,
      endAt: loads.endAt,
      autoscaler: facts.autoscalerOf(cluster, namespace, container.workload),
      unitUsd: unitUsd(container, prices, nodes),
    })
    addChange(changes, container.pods, sized.requests)
    containers.push({
      ...sized,
      spendNow: spendOf(container.pods, asTheyAre, prices, (node, hour) => loads.loads.at(node, hour)),
      spendThen: spendOf(container.pods, sized.requests, prices, () => noLoad),
    })
    if (breath.due) await breath.take()
  }
  return { cluster, namespace, containers, nodes, hardQuota: facts.quotaOf(cluster, namespace) }
}

const noLoad = { cores: 0, gib: 0 }

/** What one core and one GiB of all its pods cost over the window. */
function unitUsd({ pods }: Container, prices: NodePrices, nodes: Set<string>) {
  let [cpu, memory] = [0, 0]
  for (const { subject, use } of pods)
    for (const { node, share } of use) {
      const price = priceOf(prices, subject.cluster, node)
      if (node !== undefined) nodes.add(node)
      cpu += share * price.corePerHourUsd
      memory += share * price.gibPerHourUsd
    }
  return { cpu, memory }
}
