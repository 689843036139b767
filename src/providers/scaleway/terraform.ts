import type { PlanProvider, PlanReading, PlanValues } from '../../domain/planned-instance.ts'
import {
  counted,
  free,
  machines,
  poolNodes,
  readPlanned,
  smallestNote,
  stoppedNote,
  undecidedIn,
  unpriced,
} from '../terraform/reading.ts'
import { scalewayRegionOf, scalewaySystemOf } from './provider.ts'

const poolAttributes = ['node_type', 'size', 'min_size', 'max_size', 'autoscaling', 'zone', 'region']

/** Sources: the documentation of the Terraform provider scaleway/scaleway; for what is free, the pricing pages of Scaleway. */
export const scalewayPlans: PlanProvider = {
  source: 'scaleway/scaleway',
  provider: 'scaleway',
  environment: { region: ['SCW_DEFAULT_REGION'], zone: ['SCW_DEFAULT_ZONE'] },
  resources: [
    machines('scaleway_instance_server', 'instance', ['type', 'zone', 'state'], (values) => {
      const isStopped = values.text('state') === 'stopped'
      const count = isStopped ? 0 : 1
      return machine(values, 'type', zoneOf(values), { count }, isStopped ? [stoppedNote] : [])
    }),
    poolNodes('scaleway_k8s_pool', 'Kubernetes node pool', ['cluster_id', ...poolAttributes], nodePool),
    ...free('networks, keys, groups and identity', [
      ...['scaleway_vpc', 'scaleway_vpc_private_network', 'scaleway_vpc_route', 'scaleway_vpc_acl'],
      ...['scaleway_instance_security_group', 'scaleway_instance_security_group_rules'],
      ...['scaleway_instance_placement_group', 'scaleway_instance_private_nic'],
      ...['scaleway_instance_user_data', 'scaleway_instance_ip_reverse_dns'],
      ...['scaleway_account_*', 'scaleway_iam_*'],
    ]),
    ...unpriced('Kubernetes clusters', ['scaleway_k8s_cluster'], ['region']),
    ...unpriced('volumes, addresses, images and storage', [
      ...['scaleway_instance_volume', 'scaleway_instance_snapshot', 'scaleway_instance_image'],
      ...['scaleway_instance_ip', 'scaleway_block_*', 'scaleway_file_filesystem', 'scaleway_object*'],
      ...['scaleway_flexible_ip', 'scaleway_registry_namespace'],
    ]),
    ...unpriced('load balancers and gateways', [
      'scaleway_lb',
      'scaleway_lb_ip',
      'scaleway_vpc_public_gateway*',
    ]),
    ...unpriced('databases', [
      ...['scaleway_rdb_*', 'scaleway_redis_cluster', 'scaleway_mongodb_*', 'scaleway_sdb_sql_database'],
    ]),
    ...unpriced('other machines, containers and functions', [
      ...['scaleway_baremetal_server', 'scaleway_apple_silicon_server', 'scaleway_autoscaling_*'],
      ...['scaleway_container', 'scaleway_function', 'scaleway_inference_deployment'],
    ]),
  ],
}

const zoneOf = (values: PlanValues): string => values.text('zone') || values.providerSetting('zone')

function machine(
  values: PlanValues,
  typePath: string,
  zone: string,
  group: { readonly count: number },
  notes: readonly string[] = [],
  region: string = scalewayRegionOf(zone) || values.providerSetting('region'),
): PlanReading {
  // Types are accepted as GP1-XS and as gp1_xs.
  const instanceType = values.text(typePath).toUpperCase().replaceAll('_', '-')
  const operatingSystem = scalewaySystemOf(instanceType)
  const described = { provider: 'scaleway', region, zone, instanceType, operatingSystem, ...group }
  return readPlanned(values, typePath, described, notes)
}

/** A pool is in the region of its cluster. */
function nodePool(values: PlanValues): PlanReading {
  if (values.text('node_type') === 'external') return { unpriced: 'nodes of another provider' }
  const scales = values.flag('autoscaling')
  const bound = (name: string) => (scales ? values.number(name) : undefined)
  const group = counted(values.number('size'), bound('min_size'), bound('max_size'))
  if (group === undefined) return { unpriced: undecidedIn(values, 'size') ?? 'size is not set' }
  const owner = values.resource('cluster_id', ['scaleway_k8s_cluster'])
  const stated = values.text('region') || owner?.text('region') || ''
  const zone = values.text('zone') || (stated === '' ? values.providerSetting('zone') : '')
  const region = scalewayRegionOf(zone) || stated || values.providerSetting('region')
  return machine(values, 'node_type', zone, group, smallestNote(values, 'size'), region)
}
