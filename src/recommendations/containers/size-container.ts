import { isRunningAt, longestPause, maxConcurrent } from '../../costs/allocation/hour-columns.ts'
import { currentRequests } from '../../costs/allocation/spend.ts'
import type { Autoscaler } from '../../costs/clusters/read-namespaces.ts'
import { isSidecar, sizingWorkload } from '../../decisions/sizing-workload.ts'
import { isJob } from '../../domain/subject.ts'
import { hourSeconds } from '../../domain/time.ts'
import { minCpuLimit, recommendedLimit } from '../../rightsizing/adjustments/finish.ts'
import type { RequestAndLimit } from '../../rightsizing/adjustments/request-and-limit.ts'
import { roundUpSize, type SizeAdvisor } from '../../rightsizing/advisor.ts'
import type { ResolvedConstraints } from '../../rightsizing/constraints/sizing-rules.ts'
import { missingLimitReason, missingRequestsReason } from '../../rightsizing/findings.ts'
import type { Resource } from '../../rightsizing/input.ts'
import type { ResourceRecommendation, SizeRecommendation } from '../../rightsizing/workload.ts'
import type { Container } from '../../usage/reading/containers.ts'
import type { ContainerSizes } from '../../usage/reading/pod-usage.ts'
import { ownerReason } from '../manifests/container-owner.ts'
import type { SizedContainer } from './namespace-draft.ts'

export interface ContainerContext {
  readonly namespace: string
  /** The hour at which usage ends, in hours since 1970. */
  readonly latestHour: number
  /** Time of the last sample of the cluster, in seconds since 1970. */
  readonly endAt: number
  readonly autoscaler: Autoscaler | undefined
  readonly unitUsd: { readonly cpu: number; readonly memory: number }
  readonly explain: boolean
  readonly rules: ResolvedConstraints
}

export function sizeContainer(
  container: Container,
  advisor: SizeAdvisor,
  context: ContainerContext,
): SizedContainer {
  const { sums, current } = container
  const { podHours } = sums
  const workload = sizingWorkload(container, context.autoscaler)
  const perHour = (usd: number): number => (podHours > 0 ? usd / podHours : 0)
  const prices = {
    corePerHourUsd: perHour(context.unitUsd.cpu),
    gibPerHourUsd: perHour(context.unitUsd.memory),
  }
  const moment = { atHour: context.latestHour, constraints: context.rules.constraints, prices }
  const recommendation = advisor.recommend(workload, moment)
  const { oomKills, restarts, periods, throttledPeriods } = sums.counters
  const isGone = hasGone(container, context.endAt)
  const hasUnknownRequests = !container.isDescribed
  return {
    key: container.key,
    workload: container.workload,
    name: container.name,
    init: container.init,
    isLongRunning: !container.init || isSidecar(container),
    current,
    ...sizesOf(container, recommendation),
    cpu: sums.cpu,
    memory: sums.memory,
    replicas: {
      atEnd: sums.lastSeenAts.filter((at) => isRunningAt(at, context.endAt)).length,
      highest: maxConcurrent(sums.lives),
      most: context.autoscaler?.maxReplicas,
    },
    oomKills,
    restarts,
    throttledShare: periods > 0 ? throttledPeriods / periods : 0,
    leaks: recommendation.memory?.steps.some(({ by }) => by === 'leak') ?? false,
    confidence: recommendation.confidence,
    reasons: reasonsOf(container, recommendation, isGone, context),
    codes: recommendation.codes,
    advised: { cpu: recommendation.cpu, memory: recommendation.memory },
    memoryFacts: workload.memoryFacts ?? {},
    rules: context.rules,
    managedBy: context.rules.constraints.managedBy,
    explanation: context.explain ? advisor.explain(workload, moment, recommendation) : undefined,
    podHours,
    hoursSinceFirst: Math.max(0, (context.endAt - sums.firstAt) / hourSeconds),
    isGone,
    hasUnknownRequests,
    prices,
    autoscaledBy: autoscaledBy(context.autoscaler),
  }
}

function sizesOf({ current, isDescribed }: Container, recommendation: SizeRecommendation) {
  const [cpu, memory] = [changeOf(recommendation.cpu), changeOf(recommendation.memory)]
  // A limit that a rule sets has no proportion to the request, and so no bounds.
  const boundedCurrent = {
    ...current,
    ...(recommendation.cpu?.changesLimit ? { cpuLimit: undefined } : {}),
    ...(recommendation.memory?.changesLimit ? { memoryLimit: undefined } : {}),
  }
  return {
    recommended: {
      cpuRequest: cpu?.target ?? current.cpuRequest,
      cpuLimit: limitOf(recommendation.cpu, current.cpuLimit),
      memoryRequest: memory?.target ?? current.memoryRequest,
      memoryLimit: limitOf(recommendation.memory, current.memoryLimit),
    },
    lower: boundsOf('lower', boundedCurrent, recommendation),
    upper: boundsOf('upper', boundedCurrent, recommendation),
    requests: isDescribed ? { cpu: cpu?.target, memory: memory?.target } : currentRequests,
  }
}

const reasonsOf = (
  container: Container,
  { reasons }: SizeRecommendation,
  isGone: boolean,
  { namespace, rules }: ContainerContext,
): string[] => [
  ...(container.isDescribed ? [] : [requestsUnknown]),
  ...(isGone && !container.init ? [notRunSince(container.sums.lastAt)] : []),
  ...(container.isDescribed ? missingRequestsReason(container) : []),
  ...reasons,
  ...(container.isDescribed ? missingLimitReason(container) : []),
  ...ownerReason({ ...container, namespace, managedBy: rules.constraints.managedBy }),
]

const requestsUnknown =
  'Its requests and limits are unknown, because kube-state-metrics sends nothing about its pod; this size is in no list, patch or total.'

/** Longer than a weekend. */
const longestSleep = 72 * hourSeconds
const shortestSleep = 2 * hourSeconds

/** A workload that pauses, such as at night, is gone only once it is silent for half as long again as ever before. */
function hasGone({ workload, sums }: Container, endAt: number): boolean {
  const silent = endAt - sums.lastAt
  if (silent <= shortestSleep || isJob(workload)) return false
  return silent > Math.min(longestSleep, 1.5 * longestPause(sums.lives))
}

const notRunSince = (seconds: number): string =>
  `Has not run since ${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC, so patches leave it out.`

const autoscaledBy = (autoscaler: Autoscaler | undefined): Resource[] => [
  ...(autoscaler?.cpuTarget === undefined ? [] : ['cpu' as const]),
  ...(autoscaler?.memoryTarget === undefined ? [] : ['memory' as const]),
]

/** The limit stays as it is unless the request changes or the limit has a reason of its own to change. */
const limitOf = (part: ResourceRecommendation | null, current: number | undefined): number | undefined =>
  part?.worthChanging || part?.changesLimit ? (part.limit ?? undefined) : current

const changeOf = (part: ResourceRecommendation | null): ResourceRecommendation | null =>
  part?.worthChanging ? part : null

/**
 * The limits of bounds follow their requests as the recommended limit does. That limit may also be set by usage or by OOM
 * kills. What is recommended, or stays as it is, is never outside its bounds.
 */
function boundsOf(
  side: 'lower' | 'upper',
  current: ContainerSizes,
  advised: Pick<SizeRecommendation, Resource>,
): ContainerSizes {
  const bound = (resource: Resource, setting: RequestAndLimit) => {
    const part = advised[resource]
    if (part === null) return { request: undefined, limit: undefined }
    const outermost = side === 'lower' ? Math.min : Math.max
    const asked = roundUpSize(resource, part[side])
    const request = part.worthChanging ? asked : outermost(asked, setting.request ?? asked)
    const limit = recommendedLimit(setting, part[side], undefined)
    if (limit === undefined) return { request, limit }
    const least = resource === 'cpu' ? minCpuLimit(setting) : 0
    const rounded = roundUpSize(resource, Math.max(limit, least))
    return { request, limit: outermost(rounded, limitOf(part, setting.limit) ?? rounded) }
  }
  const cpuBounds = bound('cpu', { request: current.cpuRequest, limit: current.cpuLimit })
  const memoryBounds = bound('memory', { request: current.memoryRequest, limit: current.memoryLimit })
  return {
    cpuRequest: cpuBounds.request,
    cpuLimit: cpuBounds.limit,
    memoryRequest: memoryBounds.request,
    memoryLimit: memoryBounds.limit,
  }
}
