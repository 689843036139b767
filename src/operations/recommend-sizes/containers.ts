import type { Distribution } from '../../usage/distribution.ts'
import { DistributionSum } from '../../usage/distribution-sum.ts'
import type { PodUsage, Sizes, SpanOfUse } from './pod-usage.ts'

/** A container of a workload: the same one of all its pods, judged together, since one size is set for all. */
export interface Container {
  /** Kind/workload/container */
  readonly key: string
  /** Kind/workload */
  readonly workload: string
  readonly name: string
  readonly init: boolean
  readonly pods: readonly PodUsage[]
  /** As the pod that was seen last has them. */
  readonly now: Sizes
}

/** In order of key. */
export function containersOf(pods: readonly PodUsage[]): Container[] {
  const groups = Map.groupBy(pods, ({ workload, subject }) => `${workload}/${subject.container}`)
  return [...groups]
    .map(([key, members]) => containerOf(key, members))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Of at least one pod. */
export function containerOf(key: string, pods: readonly PodUsage[]): Container {
  const latest = pods.reduce((a, b) => (lastSeen(b) > lastSeen(a) ? b : a))
  return {
    key,
    workload: latest.workload,
    name: latest.subject.container,
    init: pods.every(({ init }) => init),
    pods,
    now: latest.last,
  }
}

export const lastSeen = ({ lives }: Pick<PodUsage, 'lives'>): number => lives.at(-1)!.to

/** What all pods used in each span, each second of each of them counting once. */
export function pooledSpans(pods: readonly PodUsage[]): readonly SpanOfUse[] {
  if (pods.length === 1) return pods[0]!.spans
  const together = Map.groupBy(
    pods.flatMap(({ spans }) => spans),
    ({ startHour }) => startHour,
  )
  return [...together.values()]
    .map((spans) => (spans.length === 1 ? spans[0]! : merged(spans)))
    .sort((a, b) => a.startHour - b.startHour)
}

const busierBy = 1.5
const leastHours = 6

/** The pod that works far harder than its siblings, as a leader does: its usage must not drown in theirs. */
export function busiestPod({ pods }: Pick<Container, 'pods'>): PodUsage | undefined {
  const grown = pods.filter(({ use }) => use.length >= leastHours)
  if (grown.length < 2) return undefined
  const most = grown.reduce((a, b) => (b.cpu.mean > a.cpu.mean ? b : a))
  return most.cpu.mean > busierBy * total(grown.map(({ cpu }) => cpu)).mean ? most : undefined
}

export function total(distributions: readonly Distribution[]): Distribution {
  if (distributions.length === 1) return distributions[0]!
  const sum = new DistributionSum()
  for (const distribution of distributions) sum.add(distribution)
  return sum.total()
}

function merged(spans: readonly SpanOfUse[]): SpanOfUse {
  const add = (read: (span: SpanOfUse) => number) => spans.reduce((sum, span) => sum + read(span), 0)
  const [periods, throttledPeriods] = [add((span) => span.periods), add((span) => span.throttledPeriods)]
  return {
    startHour: spans[0]!.startHour,
    hours: Math.max(...spans.map(({ hours }) => hours)),
    cpu: total(spans.map(({ cpu }) => cpu)),
    memory: total(spans.map(({ memory }) => memory)),
    oomKills: add(({ oomKills }) => oomKills),
    periods,
    throttledPeriods,
    throttledShare: periods > 0 ? throttledPeriods / periods : 0,
    calmCpu: spans.some(({ calmCpu }) => calmCpu !== undefined)
      ? total(spans.map(({ cpu, calmCpu }) => calmCpu ?? cpu))
      : undefined,
  }
}
