import type { PlanReading, PlanResource, PlanValues } from '../../../domain/planned-instance.ts'
import {
  type CountedCharge,
  charged,
  chargesOf,
  goldenFile,
  type ListedCharge,
  unknownSize,
} from '../../terraform/charges.ts'
import { readDisk } from '../../terraform/disks.ts'
import { lastNamePart, regionOfZone } from './machines.ts'

const month = (perHourUsd: number): number => perHourUsd * 730
const golden = (test: string, commit: string) => ({
  source: goldenFile(test, commit),
  regions: ['us-central1'],
})

const usedAddress: ListedCharge = {
  name: 'an external address in use',
  pricePerMonthUsd: month(0.005),
  ...golden('compute_address_test', '110923a'),
}
/** The fee of a cluster, zonal, regional or Autopilot. */
export const gkeFee: ListedCharge = {
  name: 'the management fee of a GKE cluster',
  pricePerMonthUsd: month(0.1),
  ...golden('container_cluster_test', '046cbdd'),
}
const sqlPerHourUsd = { vcpu: 0.0413, gib: 0.007 }
const sqlStoragePerMonthUsd: Readonly<Record<string, number>> = { PD_SSD: 0.17 }
const sql = golden('sql_database_instance_test', '1d8c614')

export const diskAttributes = {
  size: 'size',
  type: 'type',
  iops: 'provisioned_iops',
  throughput: 'provisioned_throughput',
} as const

/** What is charged for beside machines. Traffic is not included. */
export const gcpCharges: readonly PlanResource[] = [
  charged('google_compute_disk', 'persistent disk', [...Object.values(diskAttributes), 'zone'], (values) => {
    const zone = lastNamePart(values.text('zone')) || values.providerSetting('zone')
    const region = regionOfZone(zone) || values.providerSetting('region')
    // Documentation of google_compute_disk: "Default value is pd-standard".
    return readDisk(values, { provider: 'gcp', region, zone }, diskAttributes, 'pd-standard')
  }),
  charged(
    'google_compute_address',
    'external address, as one in use',
    ['region', 'address_type', 'purpose'],
    address,
  ),
  charged(
    'google_sql_database_instance',
    'Cloud SQL instance of MySQL or PostgreSQL with its storage, in us-central1',
    [
      ...['region', 'database_version', 'settings.tier', 'settings.availability_type'],
      ...['settings.disk_size', 'settings.disk_type', 'settings.edition'],
    ],
    database,
  ),
]

const regionOf = (values: PlanValues): string =>
  lastNamePart(values.text('region')) || values.providerSetting('region')

function address(values: PlanValues): PlanReading {
  if (values.text('address_type') === 'INTERNAL' || values.text('purpose') === 'VPC_PEERING')
    return { free: true }
  const charge = { charge: usedAddress, count: 1 }
  return chargesOf('gcp', regionOf(values), [charge], ['an address that no machine uses costs twice as much'])
}

function database(values: PlanValues): PlanReading {
  const engine = values.text('database_version')
  const tier = values.text('settings.tier')
  const size = sqlSize(tier)
  if (
    !/^(MYSQL|POSTGRES)/.test(engine) ||
    size === undefined ||
    values.text('settings.edition') === 'ENTERPRISE_PLUS'
  )
    return {
      unpriced:
        tier === ''
          ? unknownSize(values, 'settings.tier')
          : `there is no price of ${tier} with ${engine || 'an engine that is not set'}`,
    }
  const type = values.text('settings.disk_type') || 'PD_SSD'
  const perGib = sqlStoragePerMonthUsd[type]
  if (perGib === undefined) return { unpriced: `there is no price of Cloud SQL storage of the type ${type}` }
  // Documentation of google_sql_database_instance: the minimum is 10 GB, which is also the default.
  const gib = values.number('settings.disk_size') ?? 10
  const count = values.text('settings.availability_type') === 'REGIONAL' ? 2 : 1
  const machine = month(size.vcpus * sqlPerHourUsd.vcpu + size.gib * sqlPerHourUsd.gib)
  const parts: CountedCharge[] = [
    { charge: { ...sql, name: tier, pricePerMonthUsd: machine }, count },
    { charge: { ...sql, name: `${gib} GiB ${type} of Cloud SQL`, pricePerMonthUsd: gib * perGib }, count },
  ]
  return chargesOf('gcp', regionOf(values), parts)
}

/** db-custom-2-7680, db-n1-standard-4 */
function sqlSize(tier: string): { vcpus: number; gib: number } | undefined {
  const [, cores, mib] = /^db-custom-(\d+)-(\d+)$/.exec(tier) ?? []
  if (cores !== undefined) return { vcpus: Number(cores), gib: Number(mib) / 1024 }
  const [, standard] = /^db-n1-standard-(\d+)$/.exec(tier) ?? []
  return standard === undefined ? undefined : { vcpus: Number(standard), gib: 3.75 * Number(standard) }
}
