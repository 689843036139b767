import type {
  CountRange,
  PlannedInstance,
  PlanReading,
  PlanValues,
} from '../../../domain/planned-instance.ts'
import {
  counted,
  machinesOf,
  missingFor,
  readPlanned,
  smallestNote,
  spotIf,
  windowsIf,
  withDefaults,
} from '../../terraform/reading.ts'
import {
  awsRegionOf,
  byRequirements,
  capacityBlock,
  type LaunchSettings,
  launchConfiguration,
  launchTemplate,
  localZone,
  noTemplate,
} from './templates.ts'

const mixed = 'mixed_instances_policy'

export function autoscalingGroup(values: PlanValues): PlanReading {
  const group = counted(
    values.number('desired_capacity'),
    values.number('min_size'),
    values.number('max_size'),
  )
  if (group === undefined) return { unpriced: 'desired_capacity and min_size are not set' }
  if (values.length(mixed) > 0) return mixedGroup(values, group)
  const launch =
    launchTemplate(values, ['launch_template.id', 'launch_template.name']) ?? launchConfiguration(values)
  if (launch === undefined) return { unpriced: noTemplate }
  if (launch.unpriced !== undefined) return { unpriced: launch.unpriced }
  const parts = [{ isSpot: launch.isSpot, ...group }]
  return groupOf(values, launch.instanceType, launch.isWindows, parts, [])
}

/** Reads a group that is partly on demand and partly spot. If it has several types, the first in the list is priced. */
function mixedGroup(values: PlanValues, group: { count: number; range?: CountRange }): PlanReading {
  const from = `${mixed}.launch_template`
  const launch = launchTemplate(values, [
    `${from}.launch_template_specification.launch_template_id`,
    `${from}.launch_template_specification.launch_template_name`,
  ])
  const overrides = values.blocks(`${from}.override`)
  if (overrides.some((override) => override.length('instance_requirements') > 0))
    return { unpriced: byRequirements }
  const type = overrides[0]?.text('instance_type') || launch?.instanceType
  if (type === undefined) return { unpriced: noTemplate }
  if (launch?.unpriced !== undefined && overrides.length === 0) return { unpriced: launch.unpriced }
  const weight = Number(overrides[0]?.text('weighted_capacity')) || 1
  const needed = (capacity: number): number => Math.ceil(capacity / weight)
  const distribution = `${mixed}.instances_distribution`
  const base = values.number(`${distribution}.on_demand_base_capacity`) ?? 0
  const percent = values.number(`${distribution}.on_demand_percentage_above_base_capacity`) ?? 100
  const onDemand = (capacity: number): number =>
    Math.min(capacity, base + Math.ceil((Math.max(0, capacity - base) * percent) / 100))
  const part = (isSpot: boolean) => {
    const machinesFor = (capacity: number) =>
      needed(isSpot ? capacity - onDemand(capacity) : onDemand(capacity))
    const range = group.range && { min: machinesFor(group.range.min), max: machinesFor(group.range.max) }
    return { isSpot, count: machinesFor(group.count), ...(range ? { range } : {}) }
  }
  const parts = [part(false), part(true)].filter(({ count, range }) => count > 0 || (range?.max ?? 0) > 0)
  const used = parts.length === 0 ? [part(false)] : parts
  return groupOf(values, type, launch?.isWindows ?? false, used, firstOf(overrides.length))
}

export const firstOf = (types: number): string[] =>
  types > 1 ? [`priced as the first of ${types} types in its list`] : []

function groupOf(
  values: PlanValues,
  instanceType: string,
  isWindows: boolean,
  parts: readonly { readonly isSpot: boolean; readonly count: number; readonly range?: CountRange }[],
  notes: readonly string[],
): PlanReading {
  const zone = values.texts('availability_zones')[0] ?? ''
  const why = localZone(zone)
  if (why !== undefined) return { unpriced: why }
  const region = awsRegionOf(values, zone)
  const described = { provider: 'aws', region, instanceType, operatingSystem: windowsIf(isWindows) }
  const missing = missingFor(values, 'instance_type', described)
  if (missing !== undefined) return { unpriced: missing }
  const machines = parts.map(
    ({ isSpot, ...part }): PlannedInstance =>
      withDefaults({ ...described, ...part, usageType: spotIf(isSpot) }),
  )
  return machinesOf(machines, [...notes, ...smallestNote(values, 'desired_capacity')])
}

export function nodeGroup(values: PlanValues): PlanReading {
  const scaling = (name: string) => values.number(`scaling_config.${name}`)
  const group = counted(scaling('desired_size'), scaling('min_size'), scaling('max_size'))
  if (group === undefined) return { unpriced: 'scaling_config.desired_size is not set' }
  const types = values.texts('instance_types')
  const launch = types.length === 0 ? templateOf(values) : undefined
  const why = launch?.unpriced ?? capacityBlock(values.text('capacity_type') === 'CAPACITY_BLOCK')
  if (why !== undefined) return { unpriced: why }
  // EKS documentation, CreateNodegroup: t3.medium is used if neither the node group nor its launch template has a type.
  const byDefault = 't3.medium'
  const isSpot = values.text('capacity_type') === 'SPOT'
  return readPlanned(
    values,
    'instance_types',
    {
      provider: 'aws',
      region: awsRegionOf(values, ''),
      instanceType: types[0] || launch?.instanceType || byDefault,
      operatingSystem: windowsIf(values.text('ami_type').startsWith('WINDOWS')),
      usageType: spotIf(isSpot),
      ...group,
    },
    [...firstOf(types.length), ...smallestNote(values, 'scaling_config.desired_size')],
  )
}

function templateOf(values: PlanValues): LaunchSettings | undefined {
  if (values.length('launch_template') === 0) return undefined
  const launch = launchTemplate(values, ['launch_template.id', 'launch_template.name'])
  return launch ?? { instanceType: '', isSpot: false, isWindows: false, unpriced: noTemplate }
}
