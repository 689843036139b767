/** Up to so many of a unit, this share of them is reserved. */
type Steps = readonly (readonly [upTo: number, share: number])[]

/**
 * The published formula of Google Kubernetes Engine, which reserves more than most on small nodes:
 * https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes#memory_and_cpu_reservations
 * Other managed offerings take the same shares of CPU.
 */
const coreSteps: Steps = [
  [1, 0.06],
  [2, 0.01],
  [4, 0.005],
  [Number.POSITIVE_INFINITY, 0.0025],
]
const gibSteps: Steps = [
  [4, 0.25],
  [8, 0.2],
  [16, 0.1],
  [128, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
]
/** Below this the kubelet evicts pods. */
const evictionGib = 100 / 1024
const leastReservedGib = 255 / 1024

/** What the operating system and the kubelet keep of a node. 4 cores and 16 GiB: 0.08 cores and 2.7 GiB. */
export function systemReserve(cores: number, gib: number): { readonly cores: number; readonly gib: number } {
  return {
    cores: inSteps(cores, coreSteps),
    gib: Math.max(gib < 1 ? leastReservedGib : 0, inSteps(gib, gibSteps)) + evictionGib,
  }
}

function inSteps(amount: number, steps: Steps): number {
  let [sum, from] = [0, 0]
  for (const [upTo, share] of steps) {
    sum += share * Math.max(0, Math.min(amount, upTo) - from)
    from = upTo
  }
  return sum
}
