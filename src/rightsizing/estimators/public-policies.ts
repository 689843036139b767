import { decayedLoadPercentile, decayedPeakPercentile, decayedPercentile, firstBuckets } from './decay.ts'
import { atLeast, type Estimator, margin } from './estimator.ts'
import { peak, percentile } from './window.ts'

export interface PublicPolicy {
  readonly name: string
  readonly cpu: Estimator
  readonly memory: Estimator
}

const vpaFloors = { cores: 0.025, gib: 250 / 1024 } as const
const vpaMemoryRequest = (percentile: number): number => Math.max(percentile * 1.15, vpaFloors.gib)

/** The public policies, with the constants that their projects document. */
export const publicPolicyList: readonly PublicPolicy[] = [
  {
    name: 'vpa',
    cpu: atLeast(vpaFloors.cores, 'cores', margin(1.15, decayedPercentile(90, 24, firstBuckets.cpu))),
    memory: atLeast(vpaFloors.gib, 'GiB', margin(1.15, decayedPeakPercentile(90, vpaMemoryRequest))),
  },
  { name: 'krr-simple', cpu: percentile(95, 14), memory: margin(1.15, peak(14)) },
  { name: 'krr-p99', cpu: percentile(99, 14), memory: margin(1.15, peak(14)) },
  { name: 'aws-compute-optimizer', cpu: margin(1.2, percentile(99.5, 14)), memory: margin(1.2, peak(14)) },
  { name: 'azure-advisor', cpu: margin(1 / 0.8, percentile(95, 7)), memory: margin(1 / 0.8, peak(7)) },
  { name: 'kubecost', cpu: margin(1 / 0.7, peak(2)), memory: margin(1 / 0.7, peak(2)) },
  {
    name: 'crane',
    cpu: margin(1.15, decayedPercentile(99, 24, firstBuckets.cpu)),
    memory: margin(1.15, decayedPercentile(99, 48, firstBuckets.memory)),
  },
  {
    name: 'autopilot',
    cpu: margin(1.15, decayedLoadPercentile(95, 12, firstBuckets.cpu)),
    memory: margin(1.15, peak(2)),
  },
]

export const publicPolicyNamed = (name: string): PublicPolicy | undefined =>
  publicPolicyList.find((policy) => policy.name === name.toLowerCase())
