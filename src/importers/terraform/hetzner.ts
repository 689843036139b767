import type { PlanResource } from '../../domain/planned-instance.ts'
import { readPlanned } from './reading.ts'

/** Terraform provider documentation of hetznercloud/hcloud */
export const hetznerResources: readonly PlanResource[] = [
  {
    type: 'hcloud_server',
    read: (values) =>
      readPlanned(values, 'server_type', {
        provider: 'hetzner',
        // a datacenter nbg1-dc3 stands at the location nbg1
        region: values.text('location') || (values.text('datacenter').split('-')[0] ?? ''),
        instanceType: values.text('server_type'),
      }),
  },
]
