import fc from 'fast-check'
import type { NodePrice, NodePrices } from './nodes.ts'

/** The price of a node of 4 cores and 16 GiB: 0.03 x 4 + 0.004 x 16 = 0.184 an hour. */
export const price: NodePrice = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: 0.184 }
/** The same with two GPUs of 0.5 each. */
export const gpuPrice: NodePrice = { ...price, gpuPerHourUsd: 0.5, perHourUsd: 1.184 }
export const at = (nodePrice: NodePrice): NodePrices => ({ priceOf: () => nodePrice })

export const anySize = fc.double({ min: 0, max: 30, noNaN: true })
/** Usage and requests of a pod, either of which may be more than the node has. */
export const anyPodSizes = {
  cores: anySize,
  gib: anySize,
  cpuRequest: anySize,
  memoryRequest: anySize,
  gpus: fc.nat({ max: 2 }),
}
