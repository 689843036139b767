import type { Advisor } from './advice.ts'
import type { Breath } from './breath.ts'
import { type Container, lastSeen } from './containers.ts'
import type { ClusterFacts, HardQuota } from './facts.ts'
import type { NodeLoads } from './node-loads.ts'
import type { NodePrices } from './node-prices.ts'
import type { NamespaceUsage } from './read-namespaces.ts'
import { sizeContainer } from './size-container.ts'
import type { PricedContainer } from './sized-container.ts'
import { addChange, asTheyAre, spendOf, unitUsd } from './spend.ts'

export interface SizedNamespace {
  readonly cluster: string
  readonly namespace: string
  readonly containers: readonly PricedContainer[]
  readonly hardQuota: HardQuota
  /** Nodes its pods ran on. */
  readonly nodes: ReadonlySet<string>
}

export interface Sizing {
  readonly advisor: Advisor
  readonly explain: boolean
  readonly prices: NodePrices
  readonly facts: ClusterFacts
  /** What all recommendations of an answer would change on the nodes of the cluster. */
  readonly changes: NodeLoads
  readonly breath: Breath
}

/** Its new spend is worked out as if every node had room; see withinNodes. */
export async function sizeNamespace(
  usage: NamespaceUsage,
  parts: readonly Container[],
  sizing: Sizing,
): Promise<SizedNamespace> {
  const { cluster, namespace, loads } = usage
  const { advisor, explain, prices, facts, changes, breath } = sizing
  // What is known of the nodes may be minutes old; what is known of the namespace is not.
  let { latestHour } = usage
  let { endAt } = loads
  for (const { use, lives } of usage.pods) {
    latestHour = Math.max(latestHour, use.hours.at(-1)! + 1)
    endAt = Math.max(endAt, lastSeen({ lives }))
  }
  const containers: PricedContainer[] = []
  const nodes = new Set<string>()
  for (const container of parts) {
    const sized = sizeContainer(container, advisor, {
      latestHour,
      endAt,
      autoscaler: facts.autoscalerOf(cluster, namespace, container.workload),
      unitUsd: unitUsd(container.pods, prices),
      explain,
    })
    for (const { use } of container.pods)
      for (const { setting } of use.steps()) if (setting.node !== undefined) nodes.add(setting.node)
    addChange(changes, container.pods, sized.requests)
    containers.push({
      ...sized,
      spendNow: spendOf(container.pods, asTheyAre, prices, (node) => loads.loads.of(node)),
      spendThen: spendOf(container.pods, sized.requests, prices, undefined),
    })
    if (breath.due) await breath.take()
  }
  return { cluster, namespace, containers, nodes, hardQuota: facts.quotaOf(cluster, namespace) }
}
