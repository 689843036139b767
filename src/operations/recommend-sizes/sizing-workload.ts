import type { Workload } from '../../rightsizing/workload.ts'
import type { Container } from '../../usage/reading/containers.ts'
import type { PodSums } from '../../usage/reading/pod-sums.ts'
import type { Autoscaler } from './namespace-facts.ts'

/** A container of a workload as the engine wants to know it. */
export function sizingWorkload(container: Container, autoscaler: Autoscaler | undefined): Workload {
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
  }
}

/** An init container that stays is a sidecar (restartPolicy: Always): the others have work to do before the pod has. */
export const isSidecar = ({ init, sums }: Pick<Container, 'init' | 'sums'>): boolean =>
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
