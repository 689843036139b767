import type { PlanReading, PlanValues } from '../../../domain/planned-instance.ts'
import { diskOf, withDisks } from '../../terraform/disks.ts'
import { counted, readPlanned, spotIf, stoppedNote, windowsIf } from '../../terraform/reading.ts'
import { includesGpus } from '../provider.ts'

const scheduling = ['scheduling.preemptible', 'scheduling.provisioning_model']

export const instanceAttributes = [
  ...[
    'machine_type',
    'zone',
    'guest_accelerator',
    'guest_accelerator.count',
    'scheduling.node_affinities',
    ...scheduling,
  ],
  ...['boot_disk.initialize_params.image', 'desired_status'],
  ...['boot_disk', 'boot_disk.initialize_params.size', 'boot_disk.initialize_params.type'],
]

/** Attributes that a group's machines take from the template. */
export const instanceTemplateAttributes = [
  ...[
    'machine_type',
    'guest_accelerator',
    'guest_accelerator.count',
    'scheduling.node_affinities',
    'disk.source_image',
    ...scheduling,
  ],
]

export const groupAttributes = [
  ...['target_size', 'version', 'version.instance_template', 'instance_template', 'zone', 'region'],
]

export const accelerators = 'attached accelerators have prices of their own'

/** Modules write a block with the count 0 for no accelerator. */
export const hasAccelerators = (values: PlanValues, path: string): boolean =>
  values.blocks(path).some((block) => block.number('count') !== 0)

export function instance(values: PlanValues): PlanReading {
  const zone = lastNamePart(values.text('zone')) || lastNamePart(values.providerSetting('zone'))
  const image = values.text('boot_disk.initialize_params.image')
  const region = regionOfZone(zone) || values.providerSetting('region')
  const status = values.text('desired_status')
  if (status === 'SUSPENDED') return { unpriced: 'a suspended instance is charged for its memory' }
  const isStopped = status === 'TERMINATED'
  const notes = isStopped ? [stoppedNote] : []
  const reading = machine(values, zone, region, image, { count: isStopped ? 0 : 1 }, notes)
  const place = { provider: 'gcp', region, zone }
  const names = { size: 'initialize_params.size', type: 'initialize_params.type' }
  return withDisks(
    reading,
    values.blocks('boot_disk').map((disk) => diskOf(disk, place, names, 'pd-standard', true)),
  )
}

/** Reads a zonal or regional group. If an autoscaler sets the number, its minimum is counted. */
export function managedGroup(values: PlanValues): PlanReading {
  const templates = ['google_compute_instance_template', 'google_compute_region_instance_template']
  const template =
    values.resource('version.instance_template', templates) ?? values.resource('instance_template', templates)
  if (template === undefined)
    return { unpriced: 'its machines come from an instance template that the plan does not contain' }
  const scaler = [
    ...values.referrers('google_compute_autoscaler', 'target'),
    ...values.referrers('google_compute_region_autoscaler', 'target'),
  ][0]
  const group = counted(
    values.number('target_size'),
    scaler?.number('autoscaling_policy.min_replicas'),
    scaler?.number('autoscaling_policy.max_replicas'),
  )
  if (group === undefined) return { unpriced: 'target_size is not set' }
  const zone = lastNamePart(values.text('zone'))
  const region = regionOfZone(zone) || lastNamePart(values.text('region')) || values.providerSetting('region')
  const notes = values.length('version') > 1 ? ['priced as the first of its versions'] : []
  return machine(template, zone, region, template.text('disk.source_image'), group, notes)
}

function machine(
  values: PlanValues,
  zone: string,
  region: string,
  image: string,
  group: { count: number },
  notes: readonly string[] = [],
): PlanReading {
  const instanceType = lastNamePart(values.text('machine_type'))
  if (hasAccelerators(values, 'guest_accelerator') && !includesGpus(instanceType))
    return { unpriced: accelerators }
  if (values.length('scheduling.node_affinities') > 0)
    return { unpriced: 'sole-tenant nodes have prices of their own' }
  return readPlanned(
    values,
    'machine_type',
    {
      provider: 'gcp',
      region,
      zone,
      instanceType,
      operatingSystem: windowsIf(/windows/i.test(image)),
      usageType: spotIf(
        values.flag('scheduling.preemptible') || values.text('scheduling.provisioning_model') === 'SPOT',
      ),
      ...group,
    },
    notes,
  )
}

/** us-central1-a -> us-central1; '' if it is not a zone. */
export const regionOfZone = (zone: string): string => /^(.+-[a-z]+\d+)-[a-z]$/.exec(zone)?.[1] ?? ''

/** projects/p/zones/us-central1-a -> us-central1-a */
export const lastNamePart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
