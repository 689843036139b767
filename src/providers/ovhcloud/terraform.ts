import type { PlanProvider, PlanReading, PlanValues } from '../../domain/planned-instance.ts'
import {
  counted,
  free,
  machines,
  poolNodes,
  readPlanned,
  undecidedIn,
  unpriced,
} from '../terraform/reading.ts'

const poolAttributes = ['kube_id', 'flavor_name', 'desired_nodes', 'min_nodes', 'max_nodes', 'autoscale']

/** Sources: the documentation of the Terraform provider ovh/ovh; for what is free, the pricing page of OVHcloud Public Cloud. */
export const ovhcloudPlans: PlanProvider = {
  source: 'ovh/ovh',
  provider: 'ovhcloud',
  environment: {},
  resources: [
    // A new instance names its flavour only by id; the name is known once the instance exists.
    machines('ovh_cloud_project_instance', 'Public Cloud instance', ['flavor_name', 'region'], (values) =>
      machine(values),
    ),
    poolNodes('ovh_cloud_project_kube_nodepool', 'Kubernetes node pool', poolAttributes, nodePool),
    ...free('networks, keys and users', [
      ...['ovh_cloud_project_network_private', 'ovh_cloud_project_network_private_subnet'],
      ...['ovh_cloud_project_ssh_key', 'ovh_cloud_project_user', 'ovh_cloud_project_kube_iprestrictions'],
      ...['ovh_cloud_project_kube_oidc', 'ovh_iam_*', 'ovh_me_*', 'ovh_domain_zone_record'],
    ]),
    ...unpriced('Kubernetes clusters', ['ovh_cloud_project_kube'], ['region']),
    ...unpriced('databases, storage, gateways and load balancers', [
      ...['ovh_cloud_project_database', 'ovh_cloud_project_volume', 'ovh_cloud_project_storage'],
      ...['ovh_cloud_project_gateway', 'ovh_cloud_project_loadbalancer', 'ovh_iploadbalancing'],
      ...['ovh_cloud_project_containerregistry', 'ovh_cloud_project_failover_ip_attach'],
      ...['ovh_dedicated_server'],
      ...['ovh_vps', 'ovh_ip_service', 'ovh_domain_zone'],
    ]),
  ],
}

const openstackAttributes = ['flavor_name', 'region']

/** Source: the documentation of the Terraform provider openstack. Its prices are known only at OVHcloud. */
export const openstackPlans: PlanProvider = {
  source: 'terraform-provider-openstack/openstack',
  provider: 'ovhcloud',
  environment: { region: ['OS_REGION_NAME'], auth_url: ['OS_AUTH_URL'] },
  resources: [
    machines('openstack_compute_instance_v2', 'instance at OVHcloud', openstackAttributes, openstackInstance),
    ...free('networks, keys and groups', [
      ...['openstack_compute_keypair_v2', 'openstack_compute_servergroup_v2'],
      ...['openstack_networking_network_v2'],
      ...['openstack_networking_subnet_v2', 'openstack_networking_port_v2'],
      ...['openstack_networking_secgroup_v2'],
      ...['openstack_networking_secgroup_rule_v2', 'openstack_compute_volume_attach_v2'],
      'openstack_compute_interface_attach_v2',
    ]),
    ...unpriced('volumes, addresses, routers and load balancers', [
      ...['openstack_blockstorage_volume_v2', 'openstack_blockstorage_volume_v3'],
      ...['openstack_lb_loadbalancer_v2'],
      ...['openstack_networking_floatingip_v2', 'openstack_networking_router_v2'],
      ...['openstack_images_image_v2'],
    ]),
  ],
}

function machine(values: PlanValues): PlanReading {
  const region = values.text('region') || values.providerSetting('region')
  return readPlanned(values, 'flavor_name', {
    provider: 'ovhcloud',
    region,
    instanceType: values.text('flavor_name'),
  })
}

/** A pool is in the region of its cluster. */
function nodePool(values: PlanValues): PlanReading {
  const owner = values.resource('kube_id', ['ovh_cloud_project_kube'])
  const undecided = undecidedIn(values, 'desired_nodes')
  if (undecided !== undefined) return { unpriced: undecided }
  const scales = values.flag('autoscale')
  const bound = (name: string) => (scales ? values.number(name) : undefined)
  // Documentation of ovh_cloud_project_kube_nodepool: "desired_nodes ... Default is 1"
  const group = counted(values.number('desired_nodes') ?? 1, bound('min_nodes'), bound('max_nodes'))
  return readPlanned(values, 'flavor_name', {
    provider: 'ovhcloud',
    region: owner?.text('region') || values.providerSetting('region'),
    instanceType: values.text('flavor_name'),
    ...group,
  })
}

/** Anyone can run OpenStack, so the instance is priced only if its endpoint is that of OVHcloud. */
function openstackInstance(values: PlanValues): PlanReading {
  return /\bovh\b/i.test(values.providerSetting('auth_url'))
    ? machine(values)
    : { unpriced: 'the plan does not contain whose OpenStack this is' }
}
