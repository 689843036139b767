import type { PlannedInstance, PlanReading, PlanValues } from '../../../domain/planned-instance.ts'
import { chargeOf, withCharge } from '../../terraform/charges.ts'
import {
  counted,
  machinesOf,
  missingFor,
  spotIf,
  times,
  windowsIf,
  withDefaults,
} from '../../terraform/reading.ts'
import { includesGpus } from '../provider.ts'
import { gkeFee } from './charges.ts'
import { accelerators, hasAccelerators, regionOfZone } from './machines.ts'

const nodeConfig = [
  'machine_type',
  'image_type',
  'spot',
  'preemptible',
  'guest_accelerator',
  'guest_accelerator.count',
].map((name) => `node_config.${name}`)
const scaling = ['min_node_count', 'max_node_count', 'total_min_node_count', 'total_max_node_count'].map(
  (name) => `autoscaling.${name}`,
)

export const gkePoolAttributes = ['node_count', 'initial_node_count', ...scaling, ...nodeConfig]

export const clusterAttributes = [
  ...['location', 'node_locations', 'remove_default_node_pool', 'enable_autopilot'],
  ...[
    'node_pool',
    'node_pool.name',
    'node_pool.node_locations',
    ...gkePoolAttributes.map((name) => `node_pool.${name}`),
  ],
  ...gkePoolAttributes,
]

/** Reads the cluster's own pools if it has any, else the default pool, unless that is removed. */
export function gkeCluster(values: PlanValues): PlanReading {
  if (values.flag('enable_autopilot')) return { unpriced: 'Autopilot is charged by pod' }
  const place = placeOf(values, undefined)
  // An existing cluster lists every pool, also those that are separate resources.
  const others = new Set(
    values.referrers('google_container_node_pool', 'cluster').map((pool) => pool.text('name')),
  )
  const listed = values.blocks('node_pool')
  const pools = listed.filter((pool) => !others.has(pool.text('name')))
  const region = regionOfZone(place.location) || place.location
  if (values.flag('remove_default_node_pool') || (listed.length > 0 && pools.length === 0))
    return chargeOf('gcp', region, gkeFee)
  const zonesOf = (pool: PlanValues): Place => ({
    ...place,
    zones: pool.length('node_locations') || place.zones,
  })
  const found = pools.length > 0 ? pools.map((pool) => poolOf(pool, zonesOf(pool))) : [poolOf(values, place)]
  const missing = found.find((one) => 'unpriced' in one)
  if (missing !== undefined) return missing
  const machines = found.flatMap((one) => ('machine' in one ? [one.machine] : []))
  return withCharge(machinesOf(machines), 'gcp', region, gkeFee)
}

/** A pool without a location has that of its cluster. */
export function gkeNodePool(values: PlanValues): PlanReading {
  const owner = values.resource('cluster', ['google_container_cluster'])
  const pool = poolOf(values, placeOf(values, owner))
  return 'machine' in pool ? machinesOf([pool.machine]) : pool
}

interface Place {
  readonly location: string
  readonly zones: number
}

function placeOf(values: PlanValues, owner: PlanValues | undefined): Place {
  const given = values.text('location') || owner?.text('location') || ''
  const location = given || values.providerSetting('zone') || values.providerSetting('region')
  const isZone = regionOfZone(location) !== ''
  const listed = values.length('node_locations') || (owner?.length('node_locations') ?? 0)
  // The node_locations of a zonal cluster are in addition to its own zone; a pool lists all of its zones.
  const isZonalCluster = isZone && owner === undefined && values.length('node_locations') > 0
  const extra = isZonalCluster && !values.texts('node_locations').includes(location) ? 1 : 0
  return { location, zones: listed > 0 ? listed + extra : isZone ? 1 : zonesOfRegion }
}

/** GKE documentation, "Regional clusters": nodes are created in three zones by default. */
const zonesOfRegion = 3

/** GKE documentation, machine type of a node pool: "e2-medium" if none is given. */
const defaultType = 'e2-medium'

function poolOf(pool: PlanValues, place: Place): { machine: PlannedInstance } | { unpriced: string } {
  const instanceType = pool.text('node_config.machine_type') || defaultType
  if (hasAccelerators(pool, 'node_config.guest_accelerator') && !includesGpus(instanceType))
    return { unpriced: accelerators }
  const group = countOf(pool, place.zones)
  if (group === undefined) return { unpriced: 'the number of its machines is not set' }
  const described = {
    provider: 'gcp',
    region: regionOfZone(place.location) || place.location,
    instanceType,
  }
  const missing = missingFor(pool, 'node_config.machine_type', described)
  if (missing !== undefined) return { unpriced: missing }
  const isSpot = pool.flag('node_config.spot') || pool.flag('node_config.preemptible')
  return {
    machine: withDefaults({
      ...described,
      operatingSystem: windowsIf(/windows/i.test(pool.text('node_config.image_type'))),
      usageType: spotIf(isSpot),
      ...group,
    }),
  }
}

/** Numbers are per zone, except for the total_ bounds. */
function countOf(pool: PlanValues, zones: number) {
  const total = {
    min: pool.number('autoscaling.total_min_node_count') || undefined,
    max: pool.number('autoscaling.total_max_node_count') || undefined,
  }
  const perZone = pool.number('node_count') ?? pool.number('initial_node_count')
  if (total.max !== undefined)
    return counted(perZone === undefined ? undefined : perZone * zones, total.min ?? 0, total.max)
  const group = counted(
    perZone,
    pool.number('autoscaling.min_node_count'),
    pool.number('autoscaling.max_node_count'),
  )
  return group && times(group, zones)
}
