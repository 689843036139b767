/** Each step reserves this share of the amount up to `upTo`. */
type Steps = readonly (readonly [upTo: number, share: number])[]

/**
 * The shares of CPU that Google Kubernetes Engine publishes, and that Amazon EKS uses too:
 * https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes#memory_and_cpu_reservations
 * 4 cores: 0.08 cores.
 */
export const reservedCores = (cores: number): number =>
  inSteps(cores, [
    [1, 0.06],
    [2, 0.01],
    [4, 0.005],
    [Number.POSITIVE_INFINITY, 0.0025],
  ])

/** From the same page. */
const gibSteps: Steps = [
  [4, 0.25],
  [8, 0.2],
  [16, 0.1],
  [128, 0.06],
  [Number.POSITIVE_INFINITY, 0.02],
]
const minReservedGib = 255 / 1024

/** What a node keeps where its provider publishes nothing: these shares. 4 cores and 16 GiB: 0.08 cores and 2.7 GiB. */
export const defaultReserve = ({ cores, gib }: { readonly cores: number; readonly gib: number }) => ({
  cores: reservedCores(cores),
  gib: (gib < 1 ? minReservedGib : inSteps(gib, gibSteps)) + evictionGib,
})

/** The kubelet evicts pods if less than this is free. */
export const evictionGib = 100 / 1024

function inSteps(amount: number, steps: Steps): number {
  let [sum, from] = [0, 0]
  for (const [upTo, share] of steps) {
    sum += share * Math.max(0, Math.min(amount, upTo) - from)
    from = upTo
  }
  return sum
}
