import { isRunningAt, maxConcurrent } from '../allocation/hour-columns.ts'
import type { Autoscaler } from '../cluster-usage/read-namespaces.ts'
import { proportionOf } from '../rightsizing/adjustments/finish.ts'
import { roundUpSize, type SizeAdvisor } from '../rightsizing/advisor.ts'
import type { ResolvedConstraints } from '../rightsizing/constraints/sizing-rules.ts'
import type { MemoryFacts, ResourceRecommendation, Workload } from '../rightsizing/workload.ts'
import type { Container, PodSums } from '../usage/reading/containers.ts'
import type { ContainerSizes } from '../usage/reading/pod-usage.ts'
import type { SizedContainer } from './namespace-draft.ts'

export interface ContainerContext {
  /** Hours since 1970; usage ends before it. */
  readonly latestHour: number
  /** Seconds since 1970 of the last sample of the cluster. */
  readonly endAt: number
  readonly autoscaler: Autoscaler | undefined
  /** Dollars that one core, and one GiB, cost all pods of it over the window. */
  readonly unitUsd: { readonly cpu: number; readonly memory: number }
  readonly explain: boolean
  /** Constraints of its namespace. */
  readonly rules: ResolvedConstraints
}

/** From what a container's pods did to what it should ask for. */
export function sizeContainer(
  container: Container,
  advisor: SizeAdvisor,
  occasion: ContainerContext,
): SizedContainer {
  const { sums, now } = container
  const { podHours } = sums
  const workload = sizingWorkload(container, occasion.autoscaler)
  const perHour = (usd: number): number => (podHours > 0 ? usd / podHours : 0)
  const moment = {
    atHour: occasion.latestHour,
    constraints: occasion.rules.constraints,
    prices: {
      corePerHourUsd: perHour(occasion.unitUsd.cpu),
      gibPerHourUsd: perHour(occasion.unitUsd.memory),
    },
  }
  const made = advisor.recommend(workload, moment)
  const { oomKills, restarts, periods, throttledPeriods } = sums.counters
  const [cpu, memory] = [changeOf(made.cpu), changeOf(made.memory)]
  // A limit that a rule sets has no proportion to the request, and so no bounds.
  const boundedNow = made.cpu?.changesLimit ? { ...now, cpuLimit: undefined } : now
  return {
    key: container.key,
    workload: container.workload,
    name: container.name,
    init: container.init,
    runsAlong: !container.init || isSidecar(container),
    now,
    recommended: {
      cpuRequest: cpu?.target ?? now.cpuRequest,
      cpuLimit: limitOf(made.cpu, now.cpuLimit),
      memoryRequest: memory?.target ?? now.memoryRequest,
      memoryLimit: limitOf(made.memory, now.memoryLimit),
    },
    lower: boundsOf(boundedNow, made.cpu?.lower, made.memory?.lower),
    upper: boundsOf(boundedNow, made.cpu?.upper, made.memory?.upper),
    requests: { cpu: cpu?.target, memory: memory?.target },
    cpu: sums.cpu,
    memory: sums.memory,
    replicas: {
      atEnd: sums.lastSeenAts.filter((at) => isRunningAt(at, occasion.endAt)).length,
      highest: maxConcurrent(sums.lives),
      most: occasion.autoscaler?.maxReplicas,
    },
    oomKills,
    restarts,
    throttledShare: periods > 0 ? throttledPeriods / periods : 0,
    leaks: made.memory?.steps.some(({ by }) => by === 'leak') ?? false,
    confidence: made.confidence,
    reasons: made.reasons,
    advised: { cpu: made.cpu, memory: made.memory },
    memoryFacts: workload.memoryFacts ?? {},
    rules: occasion.rules,
    explanation: occasion.explain ? advisor.explain(workload, moment, made) : undefined,
    podHours,
  }
}

/** As it is where neither the request changes nor the limit has a reason of its own to. */
const limitOf = (part: ResourceRecommendation | null, now: number | undefined): number | undefined =>
  part?.worthChanging || part?.changesLimit ? (part.limit ?? undefined) : now

/** Null where it stays as it is. */
const changeOf = (part: ResourceRecommendation | null): ResourceRecommendation | null =>
  part?.worthChanging ? part : null

/** Bounds of limits keep the proportion too. */
function boundsOf(now: ContainerSizes, cpu: number | undefined, memory: number | undefined): ContainerSizes {
  const bound = (
    resource: 'cpu' | 'memory',
    value: number | undefined,
    setting: { request: number | undefined; limit: number | undefined },
  ) => {
    const hasLimit = value !== undefined && setting.limit !== undefined
    return {
      request: value === undefined ? undefined : roundUpSize(resource, value),
      limit: hasLimit ? roundUpSize(resource, value * proportionOf(setting)) : undefined,
    }
  }
  const ofCpu = bound('cpu', cpu, { request: now.cpuRequest, limit: now.cpuLimit })
  const ofMemory = bound('memory', memory, { request: now.memoryRequest, limit: now.memoryLimit })
  return {
    cpuRequest: ofCpu.request,
    cpuLimit: ofCpu.limit,
    memoryRequest: ofMemory.request,
    memoryLimit: ofMemory.limit,
  }
}

/** A container of a workload as the engine wants to know it. */
function sizingWorkload(container: Container, autoscaler: Autoscaler | undefined): Workload {
  const { sums, now, workload } = container
  const busiest = sums.busiest?.spans
  const reach = reachHours(sums)
  return {
    spans: sums.spans,
    ...(busiest === undefined ? {} : { busiest }),
    replicas: sums.podHours / reach,
    current: now,
    ...(autoscaler === undefined
      ? {}
      : {
          autoscaler: {
            cpuTarget: shareOf(autoscaler.cpuTarget),
            memoryTarget: shareOf(autoscaler.memoryTarget),
          },
        }),
    job: jobs.has(workload.slice(0, workload.indexOf('/'))) || isIntermittent(sums, reach),
    init: container.init && !isSidecar(container),
    memoryFacts: memoryFacts(sums),
  }
}

function memoryFacts({ marks, memoryPeakBytes }: PodSums): MemoryFacts {
  const gib = (kib: number | undefined): number | undefined => (kib ? kib / 2 ** 20 : undefined)
  return {
    rssGib: gib(marks?.rssHighKib),
    cacheGib: gib(marks?.cacheLowKib),
    mappedGib: gib(marks?.mappedHighKib),
    heapLowGib: gib(marks?.heapLowKib),
    heapLimitGib: gib(marks?.heapLimitKib),
    nonHeapGib: gib(marks?.nonHeapHighKib),
    kernelPeakGib: gib(memoryPeakBytes / 1024),
  }
}

/** An init container that stays is a sidecar (restartPolicy: Always): the others have work to do before the pod has. */
const isSidecar = ({ init, sums }: Pick<Container, 'init' | 'sums'>): boolean =>
  init && sums.podHours > mostInitHours * sums.count

const mostInitHours = 2

const jobs = new Set(['Job', 'CronJob'])

/** In less than a third of the hours of two days or more; days that are merged do not show it any more. */
const isIntermittent = ({ seenHours }: PodSums, reach: number): boolean =>
  reach >= 48 && seenHours < reach / 3

/** From the first sample to the last; at least an hour. */
const reachHours = ({ firstAt, lastAt }: PodSums): number => Math.max((lastAt - firstAt) / 3600, 1)

const shareOf = (percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : percent / 100
