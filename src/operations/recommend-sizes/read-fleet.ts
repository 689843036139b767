import { subjectOfKey } from '../../domain/subject.ts'
import { dailyUsage } from '../../rightsizing/days.ts'
import { resourceHistory } from '../../rightsizing/history.ts'
import type { FleetSeries } from '../../rightsizing/model.ts'
import type { UsageStore } from '../../usage/port.ts'
import { type Container, containersOf, pooledSpans } from './containers.ts'
import type { Hours, PodUsage } from './pod-usage.ts'
import { readPod } from './read-pod.ts'

/** What an organisation's containers went through, to learn from: all of them, or a fixed choice of so many. */
export async function readFleet(
  usage: Pick<UsageStore, 'digests'>,
  organisation: string,
  hours: Hours,
  mostSeries: number,
): Promise<FleetSeries[]> {
  const sample = new Sample<FleetSeries>(mostSeries)
  let place = ''
  let pods: PodUsage[] = []
  const finish = (): void => {
    for (const container of containersOf(pods)) {
      const id = `${place}\0${container.key}`
      if (sample.wants(id)) sample.add(id, seriesOf(id, container, hours.to))
    }
    pods = []
  }
  const query = { kind: 'container', fromHour: hours.from, toHour: hours.to } as const
  for await (const { key, rows } of usage.digests(organisation, query)) {
    const subject = subjectOfKey(key)
    if (subject.kind !== 'container') continue
    const here = `${subject.cluster}\0${subject.namespace}`
    if (here !== place) finish()
    place = here
    const pod = readPod(subject, rows, hours)
    if (pod !== undefined) pods.push(pod)
  }
  finish()
  return sample.all()
}

function seriesOf(id: string, { pods }: Container, endHour: number): FleetSeries {
  const spans = pooledSpans(pods)
  return {
    id,
    usage: {
      cpu: dailyUsage(resourceHistory(spans, 'cpu'), endHour),
      memory: dailyUsage(resourceHistory(spans, 'memory'), endHour),
    },
  }
}

/** Those whose names hash lowest: the same choice whatever comes first, and nearly the same when some are added. */
export class Sample<T> {
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

  all(): T[] {
    return [...this.#kept.values()].map(({ value }) => value)
  }
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++)
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0
  return hash
}
