import type { PlannedInstance, PlanReading, PlanValues } from '../../../domain/planned-instance.ts'
import { machinesOf, missingFor, spotIf, windowsIf, withDefaults } from '../../terraform/reading.ts'
import { firstOf } from './groups.ts'
import {
  awsRegionOf,
  byRequirements,
  dedicated,
  isWindowsImage,
  launchTemplate,
  noTemplate,
} from './templates.ts'

/** A spot fleet starts any type of its list that is available; the first is priced. */
export function spotFleet(values: PlanValues): PlanReading {
  const capacity = values.number('target_capacity')
  if (capacity === undefined) return { unpriced: 'target_capacity is not set' }
  const specifications = values.blocks('launch_specification').map(
    (block): Choice => ({
      ...choiceOf(block, 'weighted_capacity', isWindowsImage(block, 'ami')),
      unpriced: dedicated(block.text('placement_tenancy')),
    }),
  )
  const choices =
    specifications.length > 0
      ? specifications
      : templateChoices(values, 'overrides', { id: 'id', name: 'name' })
  // The target is that of all machines; those on demand are a part of it.
  const onDemand = Math.min(values.number('on_demand_target_capacity') ?? 0, capacity)
  return fleetOf(values, choices, [
    { isSpot: true, capacity: capacity - onDemand },
    { isSpot: false, capacity: onDemand },
  ])
}

export function ec2Fleet(values: PlanValues): PlanReading {
  const target = (name: string) => values.number(`target_capacity_specification.${name}`)
  const total = target('total_target_capacity')
  if (total === undefined)
    return { unpriced: 'target_capacity_specification.total_target_capacity is not set' }
  const isSpot = values.text('target_capacity_specification.default_target_capacity_type') === 'spot'
  const named = { onDemand: target('on_demand_target_capacity'), spot: target('spot_target_capacity') }
  // Capacity that neither target names has the default type.
  const onDemand = isSpot ? (named.onDemand ?? 0) : total - (named.spot ?? 0)
  const parts = [
    { isSpot: false, capacity: onDemand },
    { isSpot: true, capacity: total - onDemand },
  ]
  const ids = { id: 'launch_template_id', name: 'launch_template_name' }
  return fleetOf(values, templateChoices(values, 'override', ids), parts)
}

interface Choice {
  readonly instanceType: string
  readonly zone: string
  readonly weight: number
  readonly isWindows: boolean
  readonly unpriced?: string | undefined
}

const choiceOf = (block: PlanValues, weightPath: string, isWindows: boolean): Choice => ({
  isWindows,
  instanceType: block.text('instance_type'),
  zone: block.text('availability_zone').split(',')[0]!.trim(),
  weight: Number(block.text(weightPath)) || block.number(weightPath) || 1,
})

const noChoice = { zone: '', weight: 1 }

function templateChoices(values: PlanValues, overrides: string, ids: { id: string; name: string }) {
  return values.blocks('launch_template_config').flatMap((config): Choice[] => {
    const launch = launchTemplate(config, [
      `launch_template_specification.${ids.id}`,
      `launch_template_specification.${ids.name}`,
    ])
    const base = {
      ...noChoice,
      instanceType: launch?.instanceType ?? '',
      isWindows: launch?.isWindows ?? false,
    }
    const overrideBlocks = config.blocks(overrides)
    if (overrideBlocks.length === 0)
      return [{ ...base, unpriced: launch === undefined ? noTemplate : launch.unpriced }]
    return overrideBlocks.map((override) => {
      const choice = choiceOf(override, 'weighted_capacity', base.isWindows)
      if (override.length('instance_requirements') > 0) return { ...choice, unpriced: byRequirements }
      return choice.instanceType === ''
        ? { ...choice, instanceType: base.instanceType, unpriced: launch ? launch.unpriced : noTemplate }
        : choice
    })
  })
}

function fleetOf(
  values: PlanValues,
  choices: readonly Choice[],
  parts: readonly { readonly isSpot: boolean; readonly capacity: number }[],
): PlanReading {
  const first = choices[0]
  if (first === undefined) return { unpriced: 'the plan does not contain the types of its machines' }
  if (first.unpriced !== undefined) return { unpriced: first.unpriced }
  const { instanceType, zone, weight, isWindows } = first
  const place = { provider: 'aws', region: awsRegionOf(values, zone), zone }
  const described = { ...place, instanceType, operatingSystem: windowsIf(isWindows) }
  const missing = missingFor(values, 'instance_type', described)
  if (missing !== undefined) return { unpriced: missing }
  const used = parts.filter(({ capacity }) => capacity > 0)
  const machines = (used.length === 0 ? parts.slice(0, 1) : used).map(
    ({ isSpot, capacity }): PlannedInstance =>
      withDefaults({ ...described, usageType: spotIf(isSpot), count: Math.ceil(capacity / weight) }),
  )
  return machinesOf(machines, firstOf(new Set(choices.map((choice) => choice.instanceType)).size))
}
