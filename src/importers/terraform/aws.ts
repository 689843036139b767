import type { PlanReading, PlanResource, PlanValues } from '../../domain/planned-instance.ts'
import { readPlanned, spotIf, windowsIf } from './reading.ts'

/** Terraform provider documentation of hashicorp/aws */
export const awsResources: readonly PlanResource[] = [
  {
    type: 'aws_instance',
    read: (values) => instance(values, values.text('instance_market_options.market_type') === 'spot'),
  },
  { type: 'aws_spot_instance_request', read: (values) => instance(values, true) },
  { type: 'aws_eks_node_group', read: nodeGroup },
  {
    type: 'aws_autoscaling_group',
    read: () => ({ unclear: 'its machines come from a launch template, which the plan does not spell out' }),
  },
]

function instance(values: PlanValues, isSpot: boolean): PlanReading {
  const tenancy = values.text('tenancy')
  if (tenancy === 'dedicated' || tenancy === 'host') {
    return { unclear: `tenancy ${tenancy} has prices of its own` }
  }
  return readPlanned(values, 'instance_type', {
    provider: 'aws',
    region: regionOf(values),
    zone: values.text('availability_zone'),
    instanceType: values.text('instance_type'),
    // Only a Windows machine has a password to get; an image's id tells nothing.
    operatingSystem: windowsIf(values.flag('get_password_data')),
    usageType: spotIf(isSpot),
  })
}

function nodeGroup(values: PlanValues): PlanReading {
  const count = values.number('scaling_config.desired_size')
  if (values.length('launch_template') > 0 && values.text('instance_types') === '') {
    return { unclear: 'its machines come from a launch template, which the plan does not spell out' }
  }
  if (count === undefined) return { unclear: 'scaling_config.desired_size is not told' }
  return readPlanned(values, 'instance_types', {
    provider: 'aws',
    region: regionOf(values),
    instanceType: values.text('instance_types'),
    operatingSystem: windowsIf(values.text('ami_type').startsWith('WINDOWS')),
    usageType: spotIf(values.text('capacity_type') === 'SPOT'),
    count,
  })
}

/** us-east-1a -> us-east-1; us-west-2-lax-1a -> us-west-2. */
function regionOf(values: PlanValues): string {
  const fromZone = /^[a-z]+(?:-[a-z]+)+-\d+/.exec(values.text('availability_zone'))?.[0]
  const fromArn = values.text('arn').split(':')[3]
  return fromZone || values.text('region') || fromArn || values.providerSetting('region')
}
