import type { Workload } from '../../rightsizing/workload.ts'
import { busiestPod, type Container, pooledSpans } from './containers.ts'
import type { Autoscaler } from './facts.ts'
import type { PodUsage } from './pod-usage.ts'

/** A container of a workload as the engine wants to know it. */
export function workloadOf(container: Container, autoscaler: Autoscaler | undefined): Workload {
  const { pods, now, workload } = container
  const busiest = busiestPod(container)?.spans
  const reach = reachHours(pods)
  return {
    spans: pooledSpans(pods),
    ...(busiest === undefined ? {} : { busiest }),
    replicas: podHoursOf(pods) / reach,
    current: now,
    ...(autoscaler === undefined
      ? {}
      : {
          autoscaler: {
            cpuTarget: shareOf(autoscaler.cpuTarget),
            memoryTarget: shareOf(autoscaler.memoryTarget),
          },
        }),
    job: jobs.has(workload.slice(0, workload.indexOf('/'))) || isIntermittent(pods, reach),
    init: container.init && !runsAlong(container),
  }
}

/** An init container that stays is a sidecar (restartPolicy: Always): the others have work to do before the pod has. */
export const runsAlong = ({ init, pods }: Pick<Container, 'init' | 'pods'>): boolean =>
  init && podHoursOf(pods) > mostInitHours * pods.length

const mostInitHours = 2

export const podHoursOf = (pods: readonly PodUsage[]): number =>
  pods.reduce((hours, { use }) => hours + use.hoursRun(), 0)

const jobs = new Set(['Job', 'CronJob'])

/** In less than a third of the hours of two days or more; days that are merged do not show it any more. */
const isIntermittent = (pods: readonly PodUsage[], reach: number): boolean =>
  reach >= 48 && pods.reduce((hours, { use }) => hours + use.length, 0) < reach / 3

/** From the first sample to the last; at least an hour. */
function reachHours(pods: readonly PodUsage[]): number {
  const lives = pods.flatMap((pod) => pod.lives)
  const from = lives.reduce((least, life) => Math.min(least, life.from), Number.POSITIVE_INFINITY)
  const to = lives.reduce((most, life) => Math.max(most, life.to), 0)
  return Math.max((to - from) / 3600, 1)
}

const shareOf = (percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : percent / 100
