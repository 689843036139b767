import type { PlanProvider, PlanReading, PlanValues } from '../../domain/planned-instance.ts'
import { diskOf, notingSystemDisks, withDisks } from '../terraform/disks.ts'
import {
  free,
  machines,
  poolNodes,
  readPlanned,
  spotIf,
  stoppedNote,
  windowsIf,
} from '../terraform/reading.ts'
import { awsCharges, volumeAttributes } from './terraform/charges.ts'
import { ec2Fleet, spotFleet } from './terraform/fleets.ts'
import { autoscalingGroup, nodeGroup } from './terraform/groups.ts'
import { awsOthers } from './terraform/others.ts'
import {
  awsRegionOf,
  capacityBlock,
  configurationAttributes,
  dedicated,
  isWindowsImage,
  launchTemplate,
  localZone,
  noTemplate,
  templateAttributes,
} from './terraform/templates.ts'

const blockAttributes = { ...volumeAttributes, size: 'volume_size', type: 'volume_type' } as const

const instanceAttributes = [
  'instance_type',
  'availability_zone',
  'region',
  'arn',
  'tenancy',
  'get_password_data',
  'ami',
  'id',
  'launch_template',
  'launch_template.id',
  'launch_template.name',
  'launch_template.version',
  ...['root_block_device', 'ebs_block_device'].flatMap((block) => [
    block,
    ...Object.values(blockAttributes).map((name) => `${block}.${name}`),
  ]),
]
const groupTemplate = [
  'launch_template.id',
  'launch_template.name',
  'launch_template.version',
  'region',
  'arn',
]
const mixed = 'mixed_instances_policy'
const policyTemplate = `${mixed}.launch_template`

/** Source: the documentation of the Terraform provider hashicorp/aws. */
export const awsPlans: PlanProvider = {
  source: 'hashicorp/aws',
  provider: 'aws',
  environment: { region: ['AWS_REGION', 'AWS_DEFAULT_REGION'] },
  resources: notingSystemDisks([
    machines(
      'aws_instance',
      'EC2 instance, on demand or spot',
      [...instanceAttributes, 'instance_market_options.market_type'],
      (values) => instance(values, values.text('instance_market_options.market_type')),
    ),
    machines('aws_spot_instance_request', 'EC2 spot instance', instanceAttributes, (values) =>
      instance(values, 'spot'),
    ),
    machines(
      'aws_autoscaling_group',
      'machines of a launch template, launch configuration or mixed instances policy of the same plan',
      [
        ...['desired_capacity', 'min_size', 'max_size', 'availability_zones', 'launch_configuration'],
        ...[...groupTemplate, mixed, policyTemplate],
        `${policyTemplate}.launch_template_specification.launch_template_id`,
        `${policyTemplate}.launch_template_specification.launch_template_name`,
        `${policyTemplate}.launch_template_specification.version`,
        ...['instance_type', 'weighted_capacity', 'instance_requirements'].map(
          (name) => `${policyTemplate}.override.${name}`,
        ),
        `${policyTemplate}.override`,
        `${mixed}.instances_distribution.on_demand_base_capacity`,
        `${mixed}.instances_distribution.on_demand_percentage_above_base_capacity`,
      ],
      autoscalingGroup,
    ),
    poolNodes(
      'aws_eks_node_group',
      'nodes of a managed node group',
      [
        ...['instance_types', 'ami_type', 'capacity_type', 'launch_template', ...groupTemplate],
        ...['desired_size', 'min_size', 'max_size'].map((name) => `scaling_config.${name}`),
      ],
      nodeGroup,
    ),
    machines(
      'aws_spot_fleet_request',
      'spot fleet by launch specifications or launch templates',
      [
        ...['target_capacity', 'on_demand_target_capacity', 'region', 'arn'],
        ...['launch_specification', 'launch_template_config'],
        ...['instance_type', 'availability_zone', 'weighted_capacity', 'placement_tenancy', 'ami'].map(
          (name) => `launch_specification.${name}`,
        ),
        'launch_template_config.overrides',
        ...['instance_type', 'availability_zone', 'weighted_capacity', 'instance_requirements'].map(
          (name) => `launch_template_config.overrides.${name}`,
        ),
        'launch_template_config.launch_template_specification.id',
        'launch_template_config.launch_template_specification.name',
        'launch_template_config.launch_template_specification.version',
      ],
      spotFleet,
    ),
    machines(
      'aws_ec2_fleet',
      'EC2 fleet, on demand and spot',
      [
        ...['region', 'arn', 'launch_template_config', 'launch_template_config.override'],
        ...['instance_type', 'availability_zone', 'weighted_capacity', 'instance_requirements'].map(
          (name) => `launch_template_config.override.${name}`,
        ),
        'launch_template_config.launch_template_specification.launch_template_id',
        'launch_template_config.launch_template_specification.launch_template_name',
        'launch_template_config.launch_template_specification.version',
        ...[
          'default_target_capacity_type',
          'total_target_capacity',
          'on_demand_target_capacity',
          'spot_target_capacity',
        ].map((name) => `target_capacity_specification.${name}`),
      ],
      ec2Fleet,
    ),
    ...free('launch template', ['aws_launch_template'], templateAttributes),
    ...free('launch configuration', ['aws_launch_configuration'], configurationAttributes),
    ...free('state of an instance', ['aws_ec2_instance_state'], ['instance_id', 'state']),
    ...awsCharges,
    ...awsOthers,
  ]),
}

function instance(values: PlanValues, marketType: string): PlanReading {
  const ownType = values.text('instance_type')
  // What a new instance does not set itself comes from its launch template; an existing one does not follow it.
  const isNew = ownType === '' || values.isUnknown('id')
  const hasTemplate = isNew && values.length('launch_template') > 0
  const launch = hasTemplate
    ? launchTemplate(values, ['launch_template.id', 'launch_template.name'])
    : undefined
  const isSpot = marketType === 'spot' || (launch?.isSpot ?? false)
  const why =
    dedicated(values.text('tenancy')) ??
    capacityBlock(marketType === 'capacity-block') ??
    // Spot prices are those of a zone, also of a local one.
    (isSpot ? undefined : localZone(values.text('availability_zone'))) ??
    (ownType === '' && hasTemplate ? (launch ?? { unpriced: noTemplate }).unpriced : undefined)
  if (why !== undefined) return { unpriced: why }
  // Only a Windows machine has a password to get.
  const isWindows = values.flag('get_password_data') || isWindowsImage(values, 'ami')
  const states = values.referrers('aws_ec2_instance_state', 'instance_id')
  const isStopped = states.some((state) => state.text('state') === 'stopped')
  const described = {
    provider: 'aws',
    region: awsRegionOf(values, values.text('availability_zone')),
    zone: values.text('availability_zone'),
    instanceType: ownType || (launch?.instanceType ?? ''),
    operatingSystem: windowsIf(isWindows || (launch?.isWindows ?? false)),
    usageType: spotIf(isSpot),
    count: isStopped ? 0 : 1,
  }
  const reading = readPlanned(values, 'instance_type', described, isStopped ? [stoppedNote] : [])
  const { provider, region, zone } = described
  return withDisks(
    reading,
    ['root_block_device', 'ebs_block_device'].flatMap((block) =>
      // The image decides the type if the plan does not; those of Amazon Linux 2 and Ubuntu have gp2.
      values
        .blocks(block)
        .map((disk) =>
          diskOf(disk, { provider, region, zone }, blockAttributes, 'gp2', block === 'root_block_device'),
        ),
    ),
  )
}
