import type { PlanProvider, PlanReading, PlanValues } from '../../domain/planned-instance.ts'
import { counted, free, machines, poolNodes, readPlanned, unpriced } from '../terraform/reading.ts'

const poolAttributes = ['size', 'node_count', 'auto_scale', 'min_nodes', 'max_nodes']

/** Sources: the documentation of the Terraform provider digitalocean/digitalocean; for what is free, the pricing pages. */
export const digitaloceanPlans: PlanProvider = {
  source: 'digitalocean/digitalocean',
  provider: 'digitalocean',
  environment: {},
  resources: [
    machines('digitalocean_droplet', 'Droplet', ['size', 'region', 'backups'], (values) =>
      readPlanned(
        values,
        'size',
        { provider: 'digitalocean', region: regionOf(values), instanceType: values.text('size') },
        values.flag('backups') ? ['backups are not included'] : [],
      ),
    ),
    poolNodes(
      'digitalocean_kubernetes_cluster',
      'nodes of the default pool; high availability is not included',
      ['region', 'ha', ...poolAttributes.map((name) => `node_pool.${name}`)],
      (values) =>
        pool(
          values,
          'node_pool.',
          regionOf(values),
          values.flag('ha') ? ['high availability is not included'] : [],
        ),
    ),
    poolNodes(
      'digitalocean_kubernetes_node_pool',
      'Kubernetes node pool',
      ['cluster_id', ...poolAttributes],
      (values) => {
        const owner = values.resource('cluster_id', ['digitalocean_kubernetes_cluster'])
        return pool(values, '', owner === undefined ? values.providerSetting('region') : regionOf(owner), [])
      },
    ),
    ...free('projects, keys, tags and networks', [
      ...['digitalocean_project', 'digitalocean_project_resources'],
      ...['digitalocean_ssh_key', 'digitalocean_tag'],
      ...['digitalocean_vpc', 'digitalocean_vpc_peering', 'digitalocean_firewall', 'digitalocean_domain'],
      ...['digitalocean_record', 'digitalocean_certificate', 'digitalocean_reserved_ip_assignment'],
      ...['digitalocean_volume_attachment', 'digitalocean_database_db', 'digitalocean_database_user'],
      'digitalocean_database_firewall',
    ]),
    ...unpriced('databases', ['digitalocean_database_cluster', 'digitalocean_database_replica']),
    ...unpriced('load balancers, storage, addresses and applications', [
      ...['digitalocean_loadbalancer', 'digitalocean_volume', 'digitalocean_volume_snapshot'],
      ...['digitalocean_droplet_snapshot', 'digitalocean_custom_image', 'digitalocean_spaces_bucket'],
      ...['digitalocean_reserved_ip', 'digitalocean_floating_ip', 'digitalocean_cdn', 'digitalocean_app'],
      ...['digitalocean_container_registry', 'digitalocean_droplet_autoscale', 'digitalocean_monitor_alert'],
      ...['digitalocean_uptime_check', 'digitalocean_gradientai_*'],
    ]),
  ],
}

const regionOf = (values: PlanValues): string =>
  (values.text('region') || values.providerSetting('region')).toLowerCase()

function pool(values: PlanValues, prefix: string, region: string, notes: readonly string[]): PlanReading {
  const scales = values.flag(`${prefix}auto_scale`)
  const bound = (name: string) => (scales ? values.number(prefix + name) : undefined)
  const group = counted(values.number(`${prefix}node_count`), bound('min_nodes'), bound('max_nodes'))
  if (group === undefined) return { unpriced: `${prefix}node_count is not set` }
  const instanceType = values.text(`${prefix}size`)
  return readPlanned(
    values,
    `${prefix}size`,
    { provider: 'digitalocean', region, instanceType, ...group },
    notes,
  )
}
