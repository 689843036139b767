import type { PlanReading, PlanResource, PlanValues } from '../../domain/planned-instance.ts'
import { readPlanned } from './reading.ts'

/** Terraform provider documentation of ovh/ovh and terraform-provider-openstack/openstack */
export const ovhcloudResources: readonly PlanResource[] = [
  // A new instance names its flavour by id alone; the name comes back once it exists.
  { type: 'ovh_cloud_project_instance', read: (values) => machine(values, 'flavor_name') },
  {
    type: 'ovh_cloud_project_kube_nodepool',
    read: (values) => machine(values, 'flavor_name', values.number('desired_nodes') ?? 1),
  },
  { type: 'openstack_compute_instance_v2', read: openstackInstance },
]

function machine(values: PlanValues, flavorPath: string, count = 1): PlanReading {
  return readPlanned(values, flavorPath, {
    provider: 'ovhcloud',
    region: values.text('region') || values.providerSetting('region'),
    instanceType: values.text(flavorPath),
    count,
  })
}

/** Anyone can run OpenStack; only where it is this provider's are its prices known. */
function openstackInstance(values: PlanValues): PlanReading {
  return /\bovh\b/i.test(values.providerSetting('auth_url'))
    ? machine(values, 'flavor_name')
    : { unclear: 'the plan does not tell whose OpenStack this is' }
}
