import { type ContainerSubject, subjectOfKey } from '../domain/subject.ts'
import { hourMs } from '../domain/time.ts'
import { FleetSample, fleetSeries } from '../rightsizing/fleet.ts'
import { PercentileHistogram } from '../rightsizing/history/percentile-histogram.ts'
import { type FleetSeries, trainModel } from '../rightsizing/model/model.ts'
import type { Store } from '../store/port.ts'
import type { UsageStore } from '../usage/port.ts'
import { pooledSpans } from '../usage/reading/containers.ts'
import { hourlyHours, PodReader } from '../usage/reading/pod-reader.ts'
import type { HourRange, PodUsage } from '../usage/reading/pod-usage.ts'
import { encodeModel } from './model/model-codec.ts'

export interface TrainingTask {
  readonly organisation: string
  readonly hours: HourRange
  readonly maxSeries: number
  /** Training time in milliseconds since 1970, stored in the model. */
  readonly trainedAt: number
}

/** Limits of the training data: days of history and number of containers. */
const trainingHours = 30 * 24
const maxSeries = 600

export function trainingTask(organisation: string, now: number): TrainingTask {
  const to = Math.floor(now / hourMs)
  return { organisation, hours: { from: to - trainingHours, to }, maxSeries, trainedAt: now }
}

export async function trainAndStoreModel(
  store: Pick<Store, 'usage' | 'models'>,
  work: TrainingTask,
): Promise<void> {
  const { organisation, hours, trainedAt } = work
  const model = trainModel(await readFleet(store.usage, organisation, hours, work.maxSeries))
  await store.models.write(organisation, encodeModel(model, trainedAt))
}

/** Training data of an organisation's containers: all of them, or a deterministic sample. */
async function readFleet(
  usage: Pick<UsageStore, 'digests'>,
  organisation: string,
  hours: HourRange,
  maxSeries: number,
): Promise<FleetSeries[]> {
  const query = { kind: 'container', fromHour: hours.from, toHour: hours.to } as const
  const reader = new PodReader()
  const keys = new FleetSample<string[]>(maxSeries)
  for await (const stored of usage.digests(organisation, { ...query, summariesBefore: hours.to })) {
    const subject = subjectOfKey(stored.key) as ContainerSubject
    const owner = reader.readOwner(subject, stored, hours)
    if (owner === undefined) continue
    const id = `${subject.cluster}\0${subject.namespace}\0${owner.workload}/${subject.container}`
    if (keys.wants(id)) keys.add(id, [...(keys.get(id) ?? []), stored.key].slice(0, maxPods))
  }
  const histogram = new PercentileHistogram()
  // Only the pods of the chosen containers are read completely, one container at a time.
  const series: FleetSeries[] = []
  for (const [id, chosen] of keys.all()) {
    const pods: PodUsage[] = []
    const chosenQuery = { ...query, keys: chosen, summariesBefore: hours.to - hourlyHours }
    for await (const stored of usage.digests(organisation, chosenQuery)) {
      const pod = reader.readPod(subjectOfKey(stored.key) as ContainerSubject, stored, hours)
      if (pod !== undefined) pods.push(pod)
    }
    if (pods.length > 0) series.push(fleetSeries(id, pooledSpans(pods), hours.to, histogram))
  }
  return series
}

/** Number of pods per container to train on. Pods of a large workload are similar, so a sample is enough. */
const maxPods = 256
