import { round, roundSum } from '../../domain/money.ts'
import { NotFound } from '../../domain/not-found.ts'
import { type Clock, dayHours, hourMs } from '../../domain/time.ts'
import { readVolumeDays, type VolumeDay } from '../../usage/reading/volume-days.ts'
import { type ClaimRecommendation, diskMonthUsd, diskName, viewSavings } from './claims.ts'
import { VolumePrices, type VolumesDeps } from './volume-prices.ts'
import type { VolumesQuery, VolumesView, VolumeView, volumeStates } from './volume-schema.ts'

interface KnownVolume extends VolumeDay {
  readonly state: (typeof volumeStates)[number]
  readonly unusedDays: number | undefined
  readonly days: number
}

const windowDays = 14
/** A claim that no pod named for so long is unused. */
const unusedAfterDays = 7
/** Volumes are listed until their cluster has reported for so long without them. */
const goneAfterHours = 2

/** Returns the volumes that exist, priced, with cheaper disks for them. */
export async function listVolumes(
  deps: VolumesDeps & { readonly now: Clock },
  organisation: string,
  cluster?: string,
): Promise<VolumeView[]> {
  const to = Math.floor(deps.now() / hourMs) + 1
  const hours = { from: to - windowDays * dayHours, to }
  const days = await readVolumeDays(deps.store.usage, organisation, { cluster, hours })
  if (days.length === 0) return []
  const prices = await VolumePrices.open(deps, organisation, cluster)
  return knownVolumes(days).map((volume) => viewVolume(deps, volume, prices.advise(volume)))
}

function knownVolumes(days: readonly VolumeDay[]): KnownVolume[] {
  const newest = new Map<string, number>()
  const reportsPods = new Set<string>()
  for (const { cluster, lastHour, pod } of days) {
    newest.set(cluster, Math.max(newest.get(cluster) ?? 0, lastHour))
    if (pod !== '') reportsPods.add(cluster)
  }
  const groups = Map.groupBy(days, ({ cluster, namespace, claim, volume }) =>
    [cluster, ...(claim === '' ? ['', volume] : [namespace, claim])].join('\0'),
  )
  return [...groups.values()].flatMap((group): KnownVolume[] => {
    const last = group.at(-1)!
    const now = newest.get(last.cluster)!
    if (last.lastHour < now - goneAfterHours) return []
    const used = group.flatMap(({ usedGib }) => usedGib ?? [])
    const busy = group.findLast(({ pod, usedGib }) => pod !== '' || usedGib !== undefined)
    // A pod may have ended at any hour of its last day.
    const since = busy === undefined ? group[0]!.firstHour : busy.lastHour + 1
    const unusedDays = Math.floor((now + 1 - since) / dayHours)
    return [
      {
        ...last,
        usedGib: used.length === 0 ? undefined : Math.max(...used),
        state: stateOf(last, unusedDays, busy !== undefined, reportsPods.has(last.cluster)),
        unusedDays:
          last.claim === '' || (unusedDays > 0 && reportsPods.has(last.cluster)) ? unusedDays : undefined,
        days: Math.floor((now + 1 - group[0]!.firstHour) / dayHours),
      },
    ]
  })
}

function stateOf({ claim }: VolumeDay, unusedDays: number, wasUsed: boolean, reportsPods: boolean) {
  if (claim === '') return 'without-claim'
  if (!reportsPods) return 'unknown'
  if (unusedDays >= unusedAfterDays) return 'unused'
  return wasUsed ? 'used' : 'unknown'
}

export async function reportVolumes(
  deps: VolumesDeps & { readonly now: Clock },
  organisation: string,
  { cluster, namespace, state, limit, cursor }: VolumesQuery,
  offset = cursor === undefined ? 0 : Number(cursor),
): Promise<VolumesView> {
  const views = (await listVolumes(deps, organisation, cluster))
    .filter(
      (view) =>
        (namespace === undefined || view.namespace === namespace) && (state ?? view.state) === view.state,
    )
    .sort((a, b) => worthOf(b) - worthOf(a) || (nameOf(a) < nameOf(b) ? -1 : 1))
  const sum = (of: (view: VolumeView) => number) =>
    roundSum(views.reduce((total, view) => total + of(view), 0))
  const end = offset + limit
  return {
    volumes: views.slice(offset, end),
    totals: {
      count: views.length,
      size_gib: round(
        sum((view) => view.size_gib),
        3,
      ),
      cost_per_month: sum((view) => view.cost_per_month ?? 0),
      without_price: views.filter((view) => view.cost_per_month === null).length,
      removable_per_month: sum((view) => (isRemovable(view) ? (view.cost_per_month ?? 0) : 0)),
      savings_per_month: sum((view) => (isRemovable(view) ? 0 : (view.better?.savings_per_month ?? 0))),
    },
    next_cursor: end < views.length ? String(end) : null,
  }
}

const isRemovable = ({ state }: Pick<VolumeView, 'state'>): boolean =>
  state === 'unused' || state === 'without-claim'

const worthOf = (view: VolumeView): number =>
  isRemovable(view) ? (view.cost_per_month ?? 0) : (view.better?.savings_per_month ?? 0)

const nameOf = ({ cluster, namespace, claim, volume }: VolumeView): string =>
  [cluster, namespace, claim, volume].join('\0')

function viewVolume({ pricing }: VolumesDeps, volume: KnownVolume, recommendation: ClaimRecommendation) {
  const { current } = recommendation
  const offer = current instanceof NotFound ? undefined : current.offer
  return {
    cluster: volume.cluster,
    namespace: volume.namespace || null,
    claim: volume.claim || null,
    volume: volume.volume || null,
    storage_class: volume.storageClass,
    state: volume.state,
    unused_days: volume.unusedDays ?? null,
    measured_days: volume.days,
    size_gib: round(volume.gib, 3),
    used_gib: volume.usedGib === undefined ? null : round(volume.usedGib, 3),
    provider:
      offer === undefined ? null : (pricing.findProvider(offer.provider)?.displayName ?? offer.provider),
    region: offer?.region ?? null,
    disk_type: offer === undefined ? null : diskName(offer),
    iops: current instanceof NotFound ? null : current.iops,
    cost_per_month: current instanceof NotFound ? null : diskMonthUsd(current.pricePerHourUsd),
    without_price: current instanceof NotFound ? current.reason : null,
    price_source: offer?.source ?? null,
    price_date: offer?.day || null,
    is_estimate: offer?.isEstimate ?? false,
    ...viewSavings(recommendation),
  }
}
