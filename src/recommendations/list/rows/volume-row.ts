import { dollars, roundSum } from '../../../domain/money.ts'
import { confidenceOfDays } from '../../../domain/recommendation.ts'
import type { VolumeView } from '../../../pricing/disks/volume-schema.ts'
import type { Recommendation, SubjectSize } from '../schema.ts'
import { noSize, type RecommendationRow, recommendationId } from './recommendation-row.ts'

export const volumeRecommendationId = ({ cluster, namespace, claim, volume }: VolumeView): string =>
  recommendationId('volume', cluster, ...(claim === null ? ['', volume ?? ''] : [namespace ?? '', claim]))

/** What is compared to notice that a volume has become another disk. */
export const volumeSize = ({ provider, region, disk_type }: VolumeView): SubjectSize => ({
  ...noSize,
  provider,
  region,
  instance_type: disk_type,
})

export function volumeRow(view: VolumeView): RecommendationRow | undefined {
  const { state, cost_per_month: cost, better, unused_days: days } = view
  if (cost === null) return undefined
  const isRemovable = state === 'unused' || state === 'without-claim'
  const worth = isRemovable ? cost : (better?.savings_per_month ?? 0)
  if (!(worth > 0)) return undefined
  const isIdle = isRemovable && days !== null
  const recommendation: Recommendation = {
    id: volumeRecommendationId(view),
    kind: 'volume',
    title: titleOf(view, isRemovable),
    ...{ cluster: view.cluster, namespace: view.namespace, workload: null, container: null },
    ...{ init: false, machine: null, replicas: null, findings: [] },
    worth_per_month: roundSum(worth),
    cost_per_month: cost,
    risk: isRemovable ? 'high' : 'medium',
    effort: 'medium',
    confidence: Math.round(1000 * confidenceOfDays(days ?? view.measured_days)) / 1000,
    current: volumeSize(view),
    recommended:
      isRemovable || better === null
        ? null
        : { ...volumeSize(view), instance_type: `${better.type} ${better.tier}`.trim() },
    idle_days: isIdle ? days : null,
    reasons: isRemovable ? removalReasons(view) : changeReasons(view),
    price_sources: [view.price_source === 'marketplace' ? 'own' : 'list'],
    price_date: view.price_date,
    is_estimate: view.is_estimate,
  }
  return { recommendation, worth, coveredBy: null }
}

const nameOf = ({ claim, volume }: VolumeView): string =>
  claim === null ? `volume ${volume}` : `claim ${claim}`

function titleOf(view: VolumeView, isRemovable: boolean): string {
  const { state, unused_days: days, better, disk_type } = view
  if (!isRemovable)
    return `Change ${nameOf(view)} from ${disk_type} to ${`${better?.type} ${better?.tier}`.trim()}`
  const why = state === 'unused' ? `no pod used it for ${days} days` : 'its claim is gone'
  return `Remove ${nameOf(view)}: ${why}`
}

function removalReasons({ state, size_gib, disk_type, cost_per_month }: VolumeView): string[] {
  return [
    state === 'unused'
      ? 'No pod names the claim, and no kubelet reports that it is mounted.'
      : 'The volume was kept when its claim was removed (reclaim policy Retain). Removing it from Kubernetes does not remove the disk: do that at the provider.',
    `It costs ${dollars(cost_per_month ?? 0)} a month: ${size_gib} GiB of ${disk_type}.`,
    'Take a snapshot before you remove it.',
  ]
}

function changeReasons({
  size_gib,
  used_gib,
  better,
  smaller_saves_per_month: smaller,
}: VolumeView): string[] {
  return [
    `${better!.type} costs ${dollars(better!.cost_per_month)} a month for ${size_gib} GiB and at least the same IOPS and throughput. It is not smaller: no disk shrinks.`,
    'Change the disk at the provider, or with a VolumeAttributesClass: a claim keeps its storage class.',
    ...(smaller >= 1 && used_gib !== null
      ? [
          `At most ${used_gib} GiB were used: a new, smaller claim and a copy of the data would save ${dollars(smaller)} a month more, which is not counted.`,
        ]
      : []),
  ]
}
