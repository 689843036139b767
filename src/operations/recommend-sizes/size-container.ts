import type { Advisor, Band } from './advice.ts'
import { asUsageSpan, busiestPod, type Container, pooledSpans, total } from './containers.ts'
import type { Autoscaler } from './facts.ts'
import { proportionOf, recommendedLimit } from './limits.ts'
import { gibBytes, microcores, type PodUsage, type Sizes } from './pod-usage.ts'
import { isThere, mostAtOnce } from './replicas.ts'
import type { SizedContainer } from './sized-container.ts'
import { whyNot } from './worthwhile.ts'

export interface Occasion {
  /** Hours since 1970; what is told ends before it. */
  readonly latestHour: number
  /** Seconds since 1970 of the last sample of the cluster. */
  readonly endAt: number
  readonly autoscaler: Autoscaler | undefined
  /** Dollars that one core, and one GiB, cost all pods of it over the window. */
  readonly unitUsd: { readonly cpu: number; readonly memory: number }
}

/** From what a container's pods did to what it should ask for. */
export function sizeContainer(container: Container, advise: Advisor, occasion: Occasion): SizedContainer {
  const { pods, now, workload, init } = container
  const spans = pooledSpans(pods)
  const [cpu, memory] = [total(pods.map((pod) => pod.cpu)), total(pods.map((pod) => pod.memory))]
  const advice = advise({
    kind: workload.slice(0, workload.indexOf('/')),
    init,
    spans,
    busiest: busiestPod(container)?.spans.map(asUsageSpan),
    atHour: occasion.latestHour,
    now,
    scaledAt: { cpu: occasion.autoscaler?.cpuTarget, memory: occasion.autoscaler?.memoryTarget },
  })
  const oomKills = sum(pods, ({ oomKills }) => oomKills)
  const periods = sum(pods, (span) => span.periods)
  const throttledShare = periods > 0 ? sum(pods, (span) => span.throttledPeriods) / periods : 0
  const days = daysOf(pods)
  const reasons = [...advice.reasons]
  const settle = (resource: 'cpu' | 'memory', band: Band | null, from: number | undefined) => {
    if (band === null) return undefined
    const to = readable(resource, band.target)
    const usdPerDay = ((to - (from ?? 0)) * occasion.unitUsd[resource]) / days
    const suffers = resource === 'cpu' ? throttledShare > sufferingShare : oomKills > 0
    const reason = whyNot({ from, to, usdPerDay, suffers })
    if (reason === undefined) return to
    if (to !== from) reasons.push(`${resource === 'cpu' ? 'CPU' : 'Memory'} stays as it is: ${reason}.`)
    return undefined
  }
  const requests = {
    cpu: settle('cpu', advice.cpu, now.cpuRequest),
    memory: settle('memory', advice.memory, now.memoryRequest),
  }
  const peaks = {
    cpu: cpu.count > 0 ? cpu.max / microcores : undefined,
    memory: memory.count > 0 ? memory.max / gibBytes : undefined,
  }
  return {
    key: container.key,
    workload,
    name: container.name,
    init,
    now,
    recommended: {
      cpuRequest: requests.cpu ?? now.cpuRequest,
      cpuLimit: limitFor('cpu', now, requests.cpu, peaks.cpu),
      memoryRequest: requests.memory ?? now.memoryRequest,
      memoryLimit: limitFor('memory', now, requests.memory, peaks.memory),
    },
    lower: boundsOf(now, advice.cpu?.lower, advice.memory?.lower),
    upper: boundsOf(now, advice.cpu?.upper, advice.memory?.upper),
    requests,
    cpu,
    memory,
    replicas: {
      atEnd: pods.filter(({ lives }) => isThere(lives, occasion.endAt)).length,
      highest: mostAtOnce(pods.flatMap(({ lives }) => lives)),
      most: occasion.autoscaler?.maxReplicas,
    },
    oomKills,
    throttledShare,
    confidence: advice.confidence,
    reasons,
    advised: { cpu: advice.cpu, memory: advice.memory },
    explanation: advice.explanation,
    podHours: pods.reduce((hours, { use }) => hours + use.hoursRun(), 0),
  }
}

/** Held back in more periods than this, a container wants for CPU. */
const sufferingShare = 0.05

/** Up to the next whole millicore and MiB: finer sizes nobody sets, and the money is worked out with what is said. */
export const readable = (resource: 'cpu' | 'memory', value: number): number => {
  const steps = resource === 'cpu' ? 1000 : 1024
  return Math.ceil(Number((value * steps).toPrecision(12))) / steps
}

function limitFor(
  resource: 'cpu' | 'memory',
  now: Sizes,
  request: number | undefined,
  peak: number | undefined,
): number | undefined {
  const setting = settingOf(resource, now)
  if (request === undefined) return setting.limit
  const limit = recommendedLimit(setting, request, peak)
  return limit === undefined ? undefined : readable(resource, limit)
}

/** Bounds of limits keep the proportion too. */
function boundsOf(now: Sizes, cpu: number | undefined, memory: number | undefined): Sizes {
  const bound = (resource: 'cpu' | 'memory', value: number | undefined) => {
    const setting = settingOf(resource, now)
    const request = value === undefined ? undefined : readable(resource, value)
    const limit =
      request === undefined || setting.limit === undefined
        ? undefined
        : readable(resource, request * proportionOf(setting))
    return { request, limit }
  }
  const [ofCpu, ofMemory] = [bound('cpu', cpu), bound('memory', memory)]
  return {
    cpuRequest: ofCpu.request,
    cpuLimit: ofCpu.limit,
    memoryRequest: ofMemory.request,
    memoryLimit: ofMemory.limit,
  }
}

const settingOf = (resource: 'cpu' | 'memory', now: Sizes) =>
  resource === 'cpu'
    ? { request: now.cpuRequest, limit: now.cpuLimit }
    : { request: now.memoryRequest, limit: now.memoryLimit }

const sum = (pods: readonly PodUsage[], read: (span: PodUsage['spans'][number]) => number): number =>
  pods.reduce((all, { spans }) => spans.reduce((some, span) => some + read(span), all), 0)

/** From the first sample to the last; at least an hour. */
function daysOf(pods: readonly PodUsage[]): number {
  const lives = pods.flatMap((pod) => pod.lives)
  const from = lives.reduce((least, life) => Math.min(least, life.from), Number.POSITIVE_INFINITY)
  const to = lives.reduce((most, life) => Math.max(most, life.to), 0)
  return Math.max((to - from) / 86_400, 1 / 24)
}
