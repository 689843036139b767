import type { Advisor } from './advice.ts'
import type { ClusterFacts, HardQuota } from './facts.ts'
import { type KeptUses, usesOf } from './kept-uses.ts'
import type { ContainerContent, NamespaceDraft } from './namespace-draft.ts'
import type { NamespaceReading } from './namespace-reading.ts'
import type { NodeLoads } from './node-loads.ts'
import type { NodePrices } from './node-prices.ts'
import { sizeContainer } from './size-container.ts'
import type { PricedContainer } from './sized-container.ts'
import { addChange, asTheyAre, spendOf, unitUsd } from './spend.ts'
import type { Yielder } from './yielder.ts'

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
  /** What all recommendations that are made together would change on the nodes of the cluster. */
  readonly changes: NodeLoads
  readonly kept: KeptUses
  readonly yielder: Yielder
}

/** Sizes a namespace's containers into the draft. The new spend is worked out as if every node had room; see spendWithinNodes. */
export async function sizeNamespace(
  reading: NamespaceReading,
  sizing: Sizing,
  draft: NamespaceDraft<ContainerContent>,
): Promise<void> {
  const { cluster, namespace, loads, latestHour, endAt } = reading
  const { advisor, explain, prices, facts, changes, kept, yielder } = sizing
  for await (const batch of reading.batches())
    for (const container of batch) {
      const { pods } = container
      const sized = sizeContainer(container, advisor, {
        latestHour,
        endAt,
        autoscaler: facts.autoscalerOf(cluster, namespace, container.workload),
        unitUsd: unitUsd(pods, prices),
        explain,
      })
      for (const { use } of pods)
        for (const { setting } of use.steps()) if (setting.node !== undefined) draft.nodes.add(setting.node)
      addChange(changes, pods, sized.requests)
      draft.add({
        ...sized,
        spendNow: spendOf(pods, asTheyAre, prices, (node) => loads.loads.of(node)),
        spendThen: spendOf(pods, sized.requests, prices, undefined),
      })
      const uses = usesOf(container)
      if (draft.uses !== undefined && kept.takes(uses)) draft.uses.set(container.key, uses)
      else draft.uses = undefined
      if (yielder.isDue) await yielder.pause()
    }
}
