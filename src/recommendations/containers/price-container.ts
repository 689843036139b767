import type { NodeLoads, NodePrices } from '../../costs/allocation/nodes.ts'
import {
  addRequestChange,
  addSpend,
  addUnitUsd,
  currentRequests,
  noSpend,
  type RequestOverrides,
} from '../../costs/allocation/spend.ts'
import type { Uses } from '../../usage/reading/containers.ts'
import type { HourlyUse } from '../../usage/reading/hourly-use.ts'
import type { ContainerUse } from '../../usage/reading/pod-usage.ts'
import type { PricedContainer, SizedContainer } from './namespace-draft.ts'

interface ContainerPricing {
  readonly prices: NodePrices
  readonly loads: NodeLoads
  /** Changes that the recommendations of the namespace would make to these loads; those of the container are added. */
  readonly changes: NodeLoads
}

/** Cost of one core and of one GiB over the window, added up over all pods. Reports the nodes that they ran on. */
export async function unitUsdOf(uses: Uses, prices: NodePrices, onNode: (node: string) => void) {
  const units = { cpu: 0, memory: 0 }
  await eachUse(uses, (pod) => {
    addUnitUsd(units, pod, prices)
    for (const { setting } of pod.use.settingRanges()) if (setting.node !== undefined) onNode(setting.node)
  })
  return units
}

/** Computes the spend of a container, now and with the recommended requests as if no node were overfull; see limitToNodePrices. */
export async function priceContainer(
  sized: SizedContainer,
  uses: Uses,
  { prices, loads, changes }: ContainerPricing,
  see: (use: HourlyUse) => void,
): Promise<PricedContainer> {
  const [currentSpend, newSpend] = [noSpend(), noSpend()]
  const asNow = currentRequestsOf(sized)
  let isAsNow = true
  await eachUse(uses, (pod) => {
    isAsNow &&= hadRequests(pod.use, asNow)
    addRequestChange(changes, [pod], sized.requests)
    addSpend(currentSpend, pod, currentRequests, prices, (node) => loads.columnsOf(node))
    addSpend(newSpend, pod, sized.requests, prices, undefined)
    see(pod.use)
  })
  const spendAtCurrentRequests = isAsNow ? currentSpend : noSpend()
  if (!isAsNow)
    await eachUse(uses, (pod) =>
      addSpend(spendAtCurrentRequests, pod, asNow, prices, (node) => loads.columnsOf(node)),
    )
  return { ...sized, currentSpend, spendAtCurrentRequests, newSpend }
}

export async function eachUse(uses: Uses, take: (pod: ContainerUse) => void): Promise<void> {
  // Uses in memory are not awaited, because waiting for each would take longer than adding it up.
  if (typeof uses !== 'function') for (const pod of uses) take(pod)
  else for await (const pod of uses()) take(pod)
}

const currentRequestsOf = ({ current }: SizedContainer): RequestOverrides => ({
  cpu: current.cpuRequest,
  memory: current.memoryRequest,
})

const hadRequests = (use: HourlyUse, { cpu, memory }: RequestOverrides): boolean =>
  use
    .settingRanges()
    .every(
      ({ setting }) =>
        (cpu === undefined || setting.cpuRequestCores === cpu) &&
        (memory === undefined || setting.memoryRequestGib === memory),
    )
