import type { PlanResource } from '../../domain/planned-instance.ts'
import { readPlanned } from './reading.ts'

/** Terraform provider documentation of digitalocean/digitalocean */
export const digitaloceanResources: readonly PlanResource[] = [
  {
    type: 'digitalocean_droplet',
    read: (values) =>
      readPlanned(values, 'size', {
        provider: 'digitalocean',
        region: values.text('region').toLowerCase(),
        instanceType: values.text('size'),
      }),
  },
  {
    type: 'digitalocean_kubernetes_cluster',
    read: (values) =>
      readPlanned(values, 'node_pool.size', {
        provider: 'digitalocean',
        region: values.text('region').toLowerCase(),
        instanceType: values.text('node_pool.size'),
        count: values.number('node_pool.node_count') ?? 1,
      }),
  },
]
