import type { Distribution } from '../distribution/distribution.ts'
import { DistributionSum } from '../distribution/sum.ts'
import type { PodSpan, PodUsage } from './pod-usage.ts'

/** What all pods used in each span, each second of each of them counting once. */
export function pooledSpans(pods: readonly Pick<PodUsage, 'spans'>[]): readonly PodSpan[] {
  if (pods.length === 1) return pods[0]!.spans
  const together = Map.groupBy(
    pods.flatMap(({ spans }) => spans),
    ({ startHour }) => startHour,
  )
  return [...together.values()]
    .map((spans) => (spans.length === 1 ? spans[0]! : merged(spans)))
    .sort((a, b) => a.startHour - b.startHour)
}

export function total(distributions: readonly Distribution[]): Distribution {
  if (distributions.length === 1) return distributions[0]!
  const sum = new DistributionSum()
  for (const distribution of distributions) sum.add(distribution)
  return sum.total()
}

function merged(spans: readonly PodSpan[]): PodSpan {
  const add = (read: (span: PodSpan) => number) => spans.reduce((sum, span) => sum + read(span), 0)
  const [periods, throttledPeriods] = [add((span) => span.periods), add((span) => span.throttledPeriods)]
  return {
    startHour: spans[0]!.startHour,
    hours: Math.max(...spans.map(({ hours }) => hours)),
    cpu: total(spans.map(({ cpu }) => cpu)),
    memory: total(spans.map(({ memory }) => memory)),
    oomKills: add(({ oomKills }) => oomKills),
    periods,
    throttledPeriods,
    restarts: add(({ restarts }) => restarts),
    throttledMs: add(({ throttledMs }) => throttledMs),
    throttledShare: periods > 0 ? throttledPeriods / periods : 0,
    calmCpu: spans.some(({ calmCpu }) => calmCpu !== undefined)
      ? total(spans.map(({ cpu, calmCpu }) => calmCpu ?? cpu))
      : undefined,
  }
}
