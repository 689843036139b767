import type { PlanProvider, PlanValues } from '../../domain/planned-instance.ts'
import { free, machines, readPlanned, unpriced } from '../terraform/reading.ts'

/** Sources: the documentation of the Terraform provider hetznercloud/hcloud; for what is free, the pricing page. */
export const hetznerPlans: PlanProvider = {
  source: 'hetznercloud/hcloud',
  provider: 'hetzner',
  environment: {},
  resources: [
    machines('hcloud_server', 'server', ['server_type', 'location', 'datacenter', 'backups'], (values) =>
      readPlanned(
        values,
        'server_type',
        { provider: 'hetzner', region: regionOf(values), instanceType: values.text('server_type') },
        values.flag('backups') ? ['backups are not included'] : [],
      ),
    ),
    ...free('networks, keys, firewalls and placement', [
      ...['hcloud_network', 'hcloud_network_*', 'hcloud_ssh_key'],
      ...['hcloud_firewall', 'hcloud_firewall_attachment'],
      ...['hcloud_placement_group', 'hcloud_server_network', 'hcloud_rdns', 'hcloud_volume_attachment'],
      ...['hcloud_floating_ip_assignment', 'hcloud_managed_certificate', 'hcloud_uploaded_certificate'],
      ...['hcloud_load_balancer_network', 'hcloud_load_balancer_service', 'hcloud_load_balancer_target'],
      ...['hcloud_zone', 'hcloud_zone_*'],
    ]),
    ...unpriced('load balancers', ['hcloud_load_balancer']),
    ...unpriced('volumes, addresses, snapshots and storage', [
      ...['hcloud_volume', 'hcloud_floating_ip', 'hcloud_primary_ip'],
      ...['hcloud_snapshot', 'hcloud_storage_box'],
    ]),
  ],
}

/** The datacenter nbg1-dc3 is at the location nbg1. */
const regionOf = (values: PlanValues): string =>
  values.text('location') || values.text('datacenter').split('-')[0] || values.providerSetting('region')
