import { dayHours } from '../../domain/time.ts'
import { type Entity, parseDailyName, readEntities } from '../digest/entities.ts'
import type { UsageStore } from '../port.ts'
import type { HourRange } from './pod-usage.ts'

/** A claim with its volume on a day, or a volume that no claim has any more. */
export interface VolumeDay {
  readonly cluster: string
  /** '' for a volume without a claim. */
  readonly namespace: string
  readonly claim: string
  readonly volume: string
  readonly storageClass: string
  readonly gib: number
  /** The most that was used; undefined if no pod had it mounted. */
  readonly usedGib: number | undefined
  /** A pod that names the claim; '' if none does. */
  readonly pod: string
  /** Hours since 1970 in which it was first and last seen on that day. */
  readonly firstHour: number
  readonly lastHour: number
}

/** Reads the claims and volumes of an organisation by day, in one cluster or in all, in order of time. */
export async function readVolumeDays(
  usage: Pick<UsageStore, 'entities'>,
  organisation: string,
  { cluster, hours }: { readonly cluster?: string | undefined; readonly hours: HourRange },
): Promise<VolumeDay[]> {
  const entities = await readEntities(usage, organisation, {
    kinds: ['claim', 'volume'],
    fromHour: hours.from,
    ...(cluster === undefined ? {} : { cluster }),
  })
  return volumeDays([...entities.values()])
    .flatMap((day) => within(day, hours) ?? [])
    .sort((a, b) => a.firstHour - b.firstHour)
}

function within(day: VolumeDay, { from, to }: HourRange): VolumeDay | undefined {
  const [firstHour, lastHour] = [Math.max(day.firstHour, from), Math.min(day.lastHour, to - 1)]
  return firstHour > lastHour ? undefined : { ...day, firstHour, lastHour }
}

/** Joins claims with their volumes. A volume counts by itself only from the hour in which its claim is gone. */
export function volumeDays(entities: readonly Entity[]): VolumeDay[] {
  const volumes = new Map<string, Entity>()
  for (const entity of entities)
    if (entity.ref.kind === 'volume')
      volumes.set(placeOf(entity, parseDailyName(entity.ref.name).name), entity)
  const claimedUntil = new Map<Entity, number>()
  const days: VolumeDay[] = []
  for (const entity of entities) {
    if (entity.ref.kind !== 'claim') continue
    const volume = volumes.get(placeOf(entity, textOf(entity, 'volume')))
    if (volume !== undefined)
      claimedUntil.set(volume, Math.max(claimedUntil.get(volume) ?? 0, entity.lastHour))
    const day = dayOfClaim(entity, volume)
    if (day.gib > 0) days.push(day)
  }
  for (const volume of volumes.values()) {
    const day = dayOfVolume(volume, claimedUntil.get(volume))
    if (day.gib > 0 && day.firstHour <= day.lastHour) days.push(day)
  }
  return days
}

/** Entities of one day have names that end in the same day. */
const placeOf = ({ ref, firstHour }: Entity, volume: string): string =>
  `${ref.cluster}\0${volume}\0${Math.floor(firstHour / dayHours)}`

function dayOfClaim(claim: Entity, volume: Entity | undefined): VolumeDay {
  const bytes = (volume && numberOf(volume, 'capacity')) ?? numberOf(claim, 'requested')
  const used = numberOf(claim, 'max/used')
  return {
    cluster: claim.ref.cluster,
    namespace: claim.ref.namespace,
    claim: parseDailyName(claim.ref.name).name,
    volume: textOf(claim, 'volume'),
    storageClass: textOf(claim, 'class') || (volume === undefined ? '' : textOf(volume, 'class')),
    gib: (bytes ?? numberOf(claim, 'capacity') ?? 0) / gibBytes,
    usedGib: used === undefined ? undefined : used / gibBytes,
    pod: textOf(claim, 'pod'),
    firstHour: claim.firstHour,
    lastHour: claim.lastHour,
  }
}

/** The claim of a bound volume is known by its name if its own metrics do not arrive. */
function dayOfVolume(volume: Entity, claimedUntil: number | undefined): VolumeDay {
  const isBound = textOf(volume, 'phase') === 'Bound'
  const [namespace = '', claim = ''] = isBound ? textOf(volume, 'claim').split('/') : []
  return {
    cluster: volume.ref.cluster,
    namespace,
    claim,
    volume: parseDailyName(volume.ref.name).name,
    storageClass: textOf(volume, 'class'),
    gib: (numberOf(volume, 'capacity') ?? 0) / gibBytes,
    usedGib: undefined,
    pod: '',
    firstHour: Math.max(volume.firstHour, (claimedUntil ?? 0) + 1),
    lastHour: volume.lastHour,
  }
}

const gibBytes = 2 ** 30

function textOf({ attributes }: Entity, name: string): string {
  const value = attributes.get(name)?.value
  return typeof value === 'string' ? value : ''
}

function numberOf({ attributes }: Entity, name: string): number | undefined {
  const value = attributes.get(name)?.value
  return typeof value === 'number' ? value : undefined
}
