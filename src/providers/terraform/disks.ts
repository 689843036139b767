import type { PlannedDisk, PlanReading, PlanResource, PlanValues } from '../../domain/planned-instance.ts'
import { unknownSize } from './charges.ts'

interface DiskAttributes {
  readonly size: string
  readonly type: string
  readonly iops?: string
  readonly throughput?: string
}

type DiskPlace = Pick<PlannedDisk, 'provider' | 'region' | 'zone'>

/** Returns the disk that a resource or one of its blocks describes; undefined if it does not set a size. */
export function diskOf(
  values: PlanValues,
  place: DiskPlace,
  names: DiskAttributes,
  defaultType: string,
  isBoot = false,
): PlannedDisk | undefined {
  const capacityGib = values.number(names.size)
  if (capacityGib === undefined || !(capacityGib > 0)) return undefined
  const bought = (name: string | undefined) =>
    name === undefined ? undefined : values.number(name) || undefined
  return {
    ...place,
    type: values.text(names.type) || defaultType,
    capacityGib,
    iops: bought(names.iops),
    throughputMbps: bought(names.throughput),
    count: 1,
    isBoot,
  }
}

export function readDisk(
  values: PlanValues,
  place: DiskPlace,
  names: DiskAttributes,
  defaultType: string,
): PlanReading {
  const disk = diskOf(values, place, names, defaultType)
  if (disk === undefined) return { unpriced: unknownSize(values, names.size) }
  if (place.region === '')
    return { unpriced: `the plan does not contain its region; use --region ${place.provider}=REGION` }
  return { machines: [], disks: [disk] }
}

/** Says of machines that start from a disk with a price of its own whether the plan leaves out how large it is. */
export const notingSystemDisks = (resources: readonly PlanResource[]): PlanResource[] =>
  resources.map((resource) =>
    resource.treatment === 'machines'
      ? { ...resource, read: (values) => noted(resource.read(values)) }
      : resource,
  )

const noted = (reading: PlanReading): PlanReading =>
  'machines' in reading && reading.machines.length > 0 && !reading.disks?.some(({ isBoot }) => isBoot)
    ? { ...reading, notes: [...(reading.notes ?? []), 'priced without its system disk'] }
    : reading

export const withDisks = (reading: PlanReading, disks: readonly (PlannedDisk | undefined)[]): PlanReading => {
  const found = disks.filter((disk) => disk !== undefined)
  return 'machines' in reading && found.length > 0 ? { ...reading, disks: found } : reading
}
