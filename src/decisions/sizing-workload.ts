import type { Autoscaler } from '../costs/clusters/read-namespaces.ts'
import { isJob } from '../domain/subject.ts'
import type { MemoryFacts, Workload } from '../rightsizing/workload.ts'
import type { Container, PodSums } from '../usage/reading/containers.ts'

export function sizingWorkload(container: Container, autoscaler: Autoscaler | undefined): Workload {
  const { sums, current } = container
  const busiest = sums.busiest?.spans
  const reach = reachHours(sums)
  return {
    spans: sums.spans,
    ...(busiest === undefined ? {} : { busiest }),
    seenHours: seenHoursOf(sums),
    reachHours: Math.ceil(reach),
    reachSeconds: sums.lastAt - sums.firstAt,
    replicas: sums.podHours / reach,
    current,
    ...(autoscaler === undefined
      ? {}
      : {
          autoscaler: {
            cpuTarget: shareOf(autoscaler.cpuTarget),
            memoryTarget: shareOf(autoscaler.memoryTarget),
          },
        }),
    job: isJob(container.workload) || isRarelySeen(sums, reach),
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

/**
 * An init container that keeps running is a sidecar (restartPolicy: Always). The others end before the pod starts its
 * work.
 */
export const isSidecar = ({ init, sums }: Pick<Container, 'init' | 'sums'>): boolean =>
  init && sums.podHours > maxInitHours * sums.count

const maxInitHours = 2

/** Whether it was seen in less than a third of the hours of two days or more. Merged days no longer show this. */
const isRarelySeen = ({ seenHours }: PodSums, reach: number): boolean => reach >= 48 && seenHours < reach / 3

/** Pods that run side by side are seen in the same hours. */
export const seenHoursOf = (sums: PodSums): number => Math.min(sums.seenHours, Math.ceil(reachHours(sums)))

/** Hours from the first sample to the last; at least one. */
const reachHours = ({ firstAt, lastAt }: PodSums): number => Math.max((lastAt - firstAt) / 3600, 1)

const shareOf = (percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : percent / 100
