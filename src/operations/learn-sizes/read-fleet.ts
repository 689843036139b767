import { type ContainerSubject, subjectOfKey } from '../../domain/subject.ts'
import { dailyUsage } from '../../rightsizing/history/days.ts'
import { resourceHistory } from '../../rightsizing/history/history.ts'
import { PercentileHistogram } from '../../rightsizing/history/percentile-histogram.ts'
import type { FleetSeries } from '../../rightsizing/model/model.ts'
import type { UsageStore } from '../../usage/port.ts'
import { pooledSpans } from '../../usage/reading/containers.ts'
import { hourlyHours, PodReader } from '../../usage/reading/pod-reader.ts'
import type { HourRange, PodUsage } from '../../usage/reading/pod-usage.ts'

/** Training data of an organisation's containers: all of them, or a deterministic sample. */
export async function readFleet(
  usage: Pick<UsageStore, 'digests'>,
  organisation: string,
  hours: HourRange,
  mostSeries: number,
): Promise<FleetSeries[]> {
  const query = { kind: 'container', fromHour: hours.from, toHour: hours.to } as const
  const reader = new PodReader()
  const keys = new FleetSample<string[]>(mostSeries)
  for await (const stored of usage.digests(organisation, { ...query, summariesBefore: hours.to })) {
    const subject = subjectOfKey(stored.key) as ContainerSubject
    const owner = reader.readOwner(subject, stored, hours)
    if (owner === undefined) continue
    const id = `${subject.cluster}\0${subject.namespace}\0${owner.workload}/${subject.container}`
    if (keys.wants(id)) keys.add(id, [...(keys.get(id) ?? []), stored.key].slice(0, mostPods))
  }
  const histogram = new PercentileHistogram()
  // Only the pods of the chosen are read as a whole, one container's at a time.
  const series: FleetSeries[] = []
  for (const [id, chosen] of keys.all()) {
    const pods: PodUsage[] = []
    const chosenQuery = { ...query, keys: chosen, summariesBefore: hours.to - hourlyHours }
    for await (const stored of usage.digests(organisation, chosenQuery)) {
      const pod = reader.readPod(subjectOfKey(stored.key) as ContainerSubject, stored, hours)
      if (pod !== undefined) pods.push(pod)
    }
    if (pods.length > 0) series.push(seriesOf(id, pods, hours.to, histogram))
  }
  return series
}

/** Number of pods per container to learn from. Pods of a large workload are similar, so a sample is enough. */
const mostPods = 256

function seriesOf(
  id: string,
  pods: readonly PodUsage[],
  endHour: number,
  histogram: PercentileHistogram,
): FleetSeries {
  const spans = pooledSpans(pods)
  return {
    id,
    usage: {
      cpu: dailyUsage(resourceHistory(spans, 'cpu'), endHour, histogram),
      memory: dailyUsage(resourceHistory(spans, 'memory'), endHour, histogram),
    },
  }
}

/** Those whose names hash lowest: the same choice whatever comes first, and nearly the same when some are added. */
export class FleetSample<T> {
  readonly #most: number
  readonly #kept = new Map<string, { readonly hash: number; readonly value: T }>()
  #below = 2 ** 32

  constructor(most: number) {
    this.#most = most
  }

  wants(name: string): boolean {
    return hashOf(name) < this.#below
  }

  add(name: string, value: T): void {
    this.#kept.set(name, { hash: hashOf(name), value })
    while (this.#kept.size > this.#most) {
      this.#below /= 2
      for (const [other, { hash }] of this.#kept) if (hash >= this.#below) this.#kept.delete(other)
    }
  }

  get(name: string): T | undefined {
    return this.#kept.get(name)?.value
  }

  all(): [name: string, value: T][] {
    return [...this.#kept].map(([name, { value }]) => [name, value])
  }
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++)
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0
  return hash
}
