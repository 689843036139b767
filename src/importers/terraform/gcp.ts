import type { PlanReading, PlanResource, PlanValues } from '../../domain/planned-instance.ts'
import { readPlanned, spotIf, windowsIf } from './reading.ts'

/** Terraform provider documentation of hashicorp/google */
export const gcpResources: readonly PlanResource[] = [
  { type: 'google_compute_instance', read: instance },
  { type: 'google_container_node_pool', read: nodePool },
  {
    type: 'google_compute_instance_group_manager',
    read: () => ({
      unclear: 'its machines come from an instance template, which the plan does not spell out',
    }),
  },
  {
    type: 'google_compute_region_instance_group_manager',
    read: () => ({
      unclear: 'its machines come from an instance template, which the plan does not spell out',
    }),
  },
]

function instance(values: PlanValues): PlanReading {
  if (values.length('guest_accelerator') > 0) {
    return { unclear: 'attached accelerators have prices of their own' }
  }
  const zone = lastPart(values.text('zone')) || lastPart(values.providerSetting('zone'))
  const image = values.text('boot_disk.initialize_params.image')
  return readPlanned(values, 'machine_type', {
    provider: 'gcp',
    region: regionOf(zone) || values.providerSetting('region'),
    zone,
    instanceType: lastPart(values.text('machine_type')),
    operatingSystem: windowsIf(/windows/i.test(image)),
    usageType: spotIf(
      values.flag('scheduling.preemptible') || values.text('scheduling.provisioning_model') === 'SPOT',
    ),
  })
}

function nodePool(values: PlanValues): PlanReading {
  if (values.length('node_config.guest_accelerator') > 0) {
    return { unclear: 'attached accelerators have prices of their own' }
  }
  const perZone = values.number('node_count') ?? values.number('initial_node_count')
  const location = values.text('location')
  const zones = values.length('node_locations') || (regionOf(location) === '' ? 0 : 1)
  if (perZone === undefined || zones === 0) return { unclear: 'the number of its machines is not told' }
  return readPlanned(values, 'node_config.machine_type', {
    provider: 'gcp',
    region: regionOf(location) || location,
    instanceType: values.text('node_config.machine_type'),
    operatingSystem: windowsIf(/windows/i.test(values.text('node_config.image_type'))),
    usageType: spotIf(values.flag('node_config.spot') || values.flag('node_config.preemptible')),
    count: perZone * zones,
  })
}

/** us-central1-a -> us-central1; '' for what is no zone. */
const regionOf = (zone: string): string => /^(.+-[a-z]+\d+)-[a-z]$/.exec(zone)?.[1] ?? ''

/** projects/p/zones/us-central1-a -> us-central1-a */
const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
