import type { Autoscaler } from '../../costs/clusters/read-namespaces.ts'
import { hourSeconds } from '../../domain/time.ts'
import { adviseReplicas, type ReplicaHour, replicaReason } from '../../rightsizing/replicas.ts'
import { microcores } from '../../usage/digest/digest.ts'
import type { Container } from '../../usage/reading/containers.ts'
import type { SizedContainer } from './namespace-draft.ts'
import { eachUse } from './price-container.ts'

/**
 * Adds what the autoscaler of a workload could be set to, as a reason of the container with the largest CPU request. The sizes
 * are those of all containers of some workloads of a namespace.
 */
export async function addReplicaReasons(
  sizes: Map<Container, SizedContainer>,
  autoscalerOf: (workload: string) => Autoscaler | undefined,
): Promise<void> {
  for (const [workload, members] of Map.groupBy([...sizes], ([{ workload }]) => workload)) {
    const autoscaler = autoscalerOf(workload)
    if ((autoscaler?.cpuTarget ?? autoscaler?.memoryTarget) === undefined) continue
    const running = members.filter(([, sized]) => sized.isLongRunning && !sized.isGone)
    const main = running.reduce<Member | undefined>(
      (most, member) => (most === undefined || coresOf(member) > coresOf(most) ? member : most),
      undefined,
    )
    const reason = main && (await reasonFor(main, running, autoscaler!))
    if (reason === undefined) continue
    const { says, ...code } = reason
    const [container, sized] = main!
    sizes.set(container, {
      ...sized,
      reasons: [...sized.reasons, says],
      codes: [...sized.codes, code],
    })
  }
}

type Member = readonly [Container, SizedContainer]

const coresOf = ([, { current }]: Member): number => current.cpuRequest ?? 0

async function reasonFor(
  main: Member,
  running: readonly Member[],
  { minReplicas, maxReplicas, cpuTarget, memoryTarget }: Autoscaler,
) {
  const sum = (read: (sized: SizedContainer) => number | undefined): number =>
    running.reduce((total, [, sized]) => total + (read(sized) ?? Number.NaN), 0)
  const hours = await hoursOf(main, running)
  const burst = burstOf(main[0], await hoursOf(main, [main]))
  if (maxReplicas === undefined || burst === undefined) return undefined
  const recommendation = adviseReplicas({
    hours,
    currentCores: sum(({ current }) => current.cpuRequest),
    cores: sum(({ recommended }) => recommended.cpuRequest),
    currentGib: sum(({ current }) => current.memoryRequest ?? 0),
    gib: sum(({ recommended }) => recommended.memoryRequest ?? 0),
    min: minReplicas,
    max: maxReplicas,
    target: cpuTarget && cpuTarget / 100,
    memoryTarget: memoryTarget && memoryTarget / 100,
    burst,
    prices: main[1].prices,
  })
  return recommendation && replicaReason(recommendation)
}

interface PlacedHour extends ReplicaHour {
  /** Since 1970. */
  readonly hour: number
}

/** The replicas, cores and GiB of whole hours, in order; the latest hour is not over. */
async function hoursOf([main]: Member, running: readonly Member[]): Promise<PlacedHour[]> {
  const hours = new Map<number, { replicas: number; cores: number; gib: number }>()
  for (const [container] of running)
    await eachUse(container.uses, ({ use }) => {
      for (let index = 0; index < use.length; index++) {
        const sums = hours.getOrInsertComputed(use.hours[index]!, () => ({ replicas: 0, cores: 0, gib: 0 }))
        const share = use.seconds[index]! / hourSeconds
        if (container === main) sums.replicas += share
        sums.cores += share * use.cores[index]!
        sums.gib += share * use.gib[index]!
      }
    })
  return [...hours]
    .sort(([a], [b]) => a - b)
    .slice(0, -1)
    .map(([hour, sums]) => ({ hour, ...sums }))
    .filter(({ replicas }) => replicas > 0)
}

const minSpans = 7
const highQuantile = 0.95
/** 36 seconds of an hour. */
const shareAbove = 0.01

/**
 * How far usage of a replica rises above the mean of the busiest hour around it. Days before the last are merged, so that 36 seconds
 * of a day are compared with its busiest hour; a twentieth of the hours and days may rise further.
 */
function burstOf({ sums }: Container, hours: readonly PlacedHour[]): number | undefined {
  const rises = sums.spans.flatMap(({ startHour, hours: length, cpu }) => {
    const within = hours.filter(({ hour }) => hour >= startHour && hour < startHour + Math.max(length, 1))
    const busiest = within.reduce((most, { replicas, cores }) => Math.max(most, cores / replicas), 0)
    return busiest > 0 && cpu.count > 0 ? [cpu.quantile(1 - shareAbove / length) / microcores / busiest] : []
  })
  return rises.length < minSpans
    ? undefined
    : rises.sort((a, b) => a - b)[Math.floor(rises.length * highQuantile)]
}
