import { shippedDisks } from '../../catalogue/shipped-facts.ts'
import { hoursPerMonth, round } from '../../domain/money.ts'
import type { PlanReading } from '../../domain/planned-instance.ts'
import type { Rates } from '../current-offer.ts'
import { diskTypeOfClass } from '../disks/claims.ts'
import type { PlanAction, PlannedChange, TerraformPlan } from '../terraform/terraform.ts'
import type { ManifestResource } from './read-workloads.ts'

export interface ClusterPrices {
  readonly rates: Rates
  readonly source: string
  /** '' if only rates are known; then volumes have no price. */
  readonly provider: string
  readonly region: string
  /** Number of nodes, for what runs on each; undefined if it was not stated. */
  readonly nodes?: number | undefined
}

/** Compares what manifests ask of a cluster before and after a change, in the form of a plan. */
export function planOfWorkloads(
  before: readonly ManifestResource[],
  after: readonly ManifestResource[],
  prices: ClusterPrices,
): TerraformPlan {
  const old = new Map(before.map((resource) => [resource.address, resource]))
  const now = new Map(after.map((resource) => [resource.address, resource]))
  const addresses = [...new Set([...now.keys(), ...old.keys()])]
  return {
    changes: addresses.map((address) => changeOf(old.get(address), now.get(address), prices)),
    drifted: 0,
  }
}

function changeOf(
  before: ManifestResource | undefined,
  after: ManifestResource | undefined,
  prices: ClusterPrices,
): PlannedChange {
  const { address, kind, name } = (after ?? before)!
  const reading = {
    before: before === undefined ? null : readingOf(before, prices),
    after: after === undefined ? null : readingOf(after, prices),
  }
  return { address, type: kind, module: '', name, action: actionOf(before, after), identities: [], reading }
}

function actionOf(before: ManifestResource | undefined, after: ManifestResource | undefined): PlanAction {
  if (before === undefined) return 'create'
  if (after === undefined) return 'delete'
  return JSON.stringify(before) === JSON.stringify(after) ? 'no-op' : 'update'
}

function readingOf(resource: ManifestResource, prices: ClusterPrices): PlanReading {
  const { kind, cores, gib, volume, notes } = resource
  if (volume !== undefined) return volumeReading(resource, prices)
  const count = resource.count ?? (kind === 'DaemonSet' ? prices.nodes : undefined)
  if (count === undefined) return { unpriced: resource.why ?? 'the number of its pods is not known' }
  const { rates, source, provider, region } = prices
  const charge = {
    name: `pod with ${round(cores, 3)} cores, ${round(gib, 3)} GiB`,
    provider,
    region,
    count,
    pricePerMonthUsd: (cores * rates.corePerHourUsd + gib * rates.gibPerHourUsd) * hoursPerMonth,
    source,
  }
  return { machines: [], charges: [charge], notes }
}

/** The class is priced if it is named after the type of disk, as gp3 and Premium_LRS are. */
function volumeReading({ volume, count = 1 }: ManifestResource, { provider, region }: ClusterPrices) {
  const { storageClass = '', gib } = volume!
  if (gib === undefined) return { unpriced: 'its size is not set' }
  if (storageClass === '' || provider === '')
    return {
      unpriced: storageClass === '' ? 'it has no storageClassName' : 'the provider of its disks is not known',
    }
  const types = shippedDisks(provider).filter((offer) => offer.region === region)
  const type = diskTypeOfClass(
    storageClass,
    types.map((offer) => offer.type),
  )
  const disk = {
    provider,
    region,
    zone: '',
    type,
    capacityGib: gib,
    iops: undefined,
    throughputMbps: undefined,
  }
  return { machines: [], disks: [{ ...disk, count, isBoot: false }] }
}
