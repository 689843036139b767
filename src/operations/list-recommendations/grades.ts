import type { AdviceFinding, AdviceGrade } from '../../domain/recommendation.ts'
import type { PricedContainer } from '../recommend-sizes/sized-container.ts'

const unsureBelow = 0.5

/**
 * What can go wrong if a container gets the recommended requests: more is safe, less CPU may slow it down, less memory may
 * get it killed. A recommendation from little data, or for a container that was killed or held back, is one grade riskier.
 */
export function containerRisk(container: PricedContainer): AdviceGrade {
  const { now, requests, confidence } = container
  const found = new Set(containerFindings(container))
  const lowers = (to: number | undefined, from: number | undefined) =>
    to !== undefined && from !== undefined && to < from
  const lowersMemory = lowers(requests.memory, now.memoryRequest)
  const lowersCpu = lowers(requests.cpu, now.cpuRequest)
  if (!lowersMemory && !lowersCpu) return 'low'
  const suffers = (lowersMemory && found.has('oom-kills')) || (lowersCpu && found.has('throttled'))
  const isUnsure = confidence < unsureBelow || suffers
  if (lowersMemory) return isUnsure ? 'high' : 'medium'
  return isUnsure ? 'medium' : 'low'
}

export const containerFindings = ({ oomKills, throttledShare }: PricedContainer): AdviceFinding[] => [
  ...(oomKills > 0 ? ['oom-kills' as const] : []),
  ...(throttledShare > throttledOften ? ['throttled' as const] : []),
]

/** Share of the periods of the CPU quota. */
const throttledOften = 0.05

/** A stateful workload is restarted one replica at a time and may have to fail over. */
export const containerEffort = (workload: string): AdviceGrade =>
  workload.startsWith('StatefulSet/') ? 'medium' : 'low'
