import { describe, expect, test } from 'vitest'
import { type Change, change, one, read } from './plan.case.ts'

const linux = { zone: '', operatingSystem: 'Linux', usageType: 'ONDEMAND', count: 1 }

describe('what each kind of resource says', () => {
  test.each<[string, string, object, object]>([
    [
      'a zone tells the region',
      'aws_instance',
      { instance_type: 'm5.large', availability_zone: 'eu-west-1b' },
      { provider: 'aws', region: 'eu-west-1', zone: 'eu-west-1b', instanceType: 'm5.large' },
    ],
    [
      'a spot instance',
      'aws_instance',
      { instance_type: 'm5.large', region: 'eu-west-1', instance_market_options: [{ market_type: 'spot' }] },
      { provider: 'aws', region: 'eu-west-1', instanceType: 'm5.large', usageType: 'SPOT_PREEMPTIBLE' },
    ],
    [
      'a spot request for Windows',
      'aws_spot_instance_request',
      { instance_type: 'm5.large', availability_zone: 'us-west-2-lax-1a', get_password_data: true },
      {
        provider: 'aws',
        region: 'us-west-2',
        zone: 'us-west-2-lax-1a',
        instanceType: 'm5.large',
        usageType: 'SPOT_PREEMPTIBLE',
        operatingSystem: 'Windows',
      },
    ],
    [
      'a dedicated instance',
      'aws_instance',
      { instance_type: 'm5.large', region: 'eu-west-1', tenancy: 'dedicated' },
      { unpriced: 'tenancy dedicated has prices of its own' },
    ],
    ['no type', 'aws_instance', { region: 'eu-west-1' }, { unpriced: 'instance_type is not set' }],
    [
      'no region',
      'aws_instance',
      { instance_type: 'm5.large' },
      { unpriced: 'the plan does not contain its region; use --region aws=REGION' },
    ],
    [
      'a node group',
      'aws_eks_node_group',
      {
        region: 'us-east-1',
        instance_types: ['m5.large'],
        capacity_type: 'SPOT',
        scaling_config: [{ desired_size: 3 }],
      },
      {
        provider: 'aws',
        region: 'us-east-1',
        instanceType: 'm5.large',
        usageType: 'SPOT_PREEMPTIBLE',
        count: 3,
      },
    ],
    [
      'an autoscaling group',
      'aws_autoscaling_group',
      { desired_capacity: 2 },
      { unpriced: 'its machines come from a launch template that the plan does not contain' },
    ],
    [
      'a Linux machine',
      'azurerm_linux_virtual_machine',
      { size: 'Standard_D4s_v5', location: 'West Europe', zone: '2', priority: 'Regular' },
      { provider: 'azure', region: 'westeurope', zone: '2', instanceType: 'Standard_D4s_v5' },
    ],
    [
      'a Windows spot machine',
      'azurerm_windows_virtual_machine',
      { size: 'Standard_D4s_v5', location: 'eastus', priority: 'Spot' },
      {
        provider: 'azure',
        region: 'eastus',
        instanceType: 'Standard_D4s_v5',
        operatingSystem: 'Windows',
        usageType: 'SPOT_PREEMPTIBLE',
      },
    ],
    [
      'Windows with a licence brought along',
      'azurerm_windows_virtual_machine',
      { size: 'Standard_D4s_v5', location: 'eastus', license_type: 'Windows_Server' },
      { provider: 'azure', region: 'eastus', instanceType: 'Standard_D4s_v5' },
    ],
    [
      'an old machine',
      'azurerm_virtual_machine',
      { vm_size: 'Standard_DS1_v2', location: 'eastus', zones: ['1'], os_profile_windows_config: [{}] },
      {
        provider: 'azure',
        region: 'eastus',
        zone: '1',
        instanceType: 'Standard_DS1_v2',
        operatingSystem: 'Windows',
      },
    ],
    [
      'a scale set',
      'azurerm_linux_virtual_machine_scale_set',
      { sku: 'Standard_F2', location: 'eastus', instances: 5 },
      { provider: 'azure', region: 'eastus', instanceType: 'Standard_F2', count: 5 },
    ],
    [
      'an instance',
      'google_compute_instance',
      { machine_type: 'n2-standard-4', zone: 'us-central1-a' },
      { provider: 'gcp', region: 'us-central1', zone: 'us-central1-a', instanceType: 'n2-standard-4' },
    ],
    [
      'a spot instance by link, of Windows',
      'google_compute_instance',
      {
        machine_type: 'n2-standard-4',
        zone: 'projects/p/zones/europe-west1-b',
        scheduling: [{ provisioning_model: 'SPOT' }],
        boot_disk: [{ initialize_params: [{ image: 'windows-cloud/windows-2022' }] }],
      },
      {
        provider: 'gcp',
        region: 'europe-west1',
        zone: 'europe-west1-b',
        instanceType: 'n2-standard-4',
        usageType: 'SPOT_PREEMPTIBLE',
        operatingSystem: 'Windows',
      },
    ],
    [
      'a stopped instance',
      'google_compute_instance',
      { machine_type: 'n2-standard-4', zone: 'us-central1-a', desired_status: 'TERMINATED' },
      {
        provider: 'gcp',
        region: 'us-central1',
        zone: 'us-central1-a',
        instanceType: 'n2-standard-4',
        count: 0,
      },
    ],
    [
      'a suspended instance',
      'google_compute_instance',
      { machine_type: 'n2-standard-4', zone: 'us-central1-a', desired_status: 'SUSPENDED' },
      { unpriced: 'a suspended instance is charged for its memory' },
    ],
    [
      'an accelerator',
      'google_compute_instance',
      {
        machine_type: 'n1-standard-4',
        zone: 'us-central1-a',
        guest_accelerator: [{ type: 'nvidia-tesla-t4', count: 1 }],
      },
      { unpriced: 'attached accelerators have prices of their own' },
    ],
    [
      'an accelerator block for none',
      'google_compute_instance',
      {
        machine_type: 'n1-standard-4',
        zone: 'us-central1-a',
        guest_accelerator: [{ type: '', count: 0 }],
      },
      { provider: 'gcp', region: 'us-central1', zone: 'us-central1-a', instanceType: 'n1-standard-4' },
    ],
    [
      'a node pool in three zones',
      'google_container_node_pool',
      {
        location: 'us-central1',
        node_count: 2,
        node_locations: ['us-central1-a', 'us-central1-b', 'us-central1-c'],
        node_config: [{ machine_type: 'e2-standard-4', spot: true }],
      },
      {
        provider: 'gcp',
        region: 'us-central1',
        instanceType: 'e2-standard-4',
        usageType: 'SPOT_PREEMPTIBLE',
        count: 6,
      },
    ],
    [
      'a droplet',
      'digitalocean_droplet',
      { size: 's-2vcpu-4gb', region: 'nyc3' },
      { provider: 'digitalocean', region: 'nyc3', instanceType: 's-2vcpu-4gb' },
    ],
    [
      'a server in a datacenter',
      'hcloud_server',
      { server_type: 'cx22', datacenter: 'nbg1-dc3' },
      { provider: 'hetzner', region: 'nbg1', instanceType: 'cx22' },
    ],
    [
      'a Public Cloud instance',
      'ovh_cloud_project_instance',
      { region: 'GRA11', flavor: { flavor_id: 'f1' }, flavor_name: 'b2-7' },
      { provider: 'ovhcloud', region: 'GRA11', instanceType: 'b2-7' },
    ],
    [
      'an instance in a zone',
      'scaleway_instance_server',
      { type: 'DEV1-S', zone: 'nl-ams-1' },
      { provider: 'scaleway', region: 'nl-ams', zone: 'nl-ams-1', instanceType: 'DEV1-S' },
    ],
    [
      'an instance with Windows that is powered off',
      'scaleway_instance_server',
      { type: 'POP2-2C-8G-WIN', zone: 'fr-par-2', state: 'stopped' },
      {
        provider: 'scaleway',
        region: 'fr-par',
        zone: 'fr-par-2',
        instanceType: 'POP2-2C-8G-WIN',
        operatingSystem: 'Windows',
        count: 0,
      },
    ],
    [
      'an instance without a zone',
      'scaleway_instance_server',
      { type: 'DEV1-S' },
      { unpriced: 'the plan does not contain its region; use --region scaleway=REGION' },
    ],
    [
      'a pool that scales, its type as it was once written',
      'scaleway_k8s_pool',
      { node_type: 'gp1_xs', zone: 'fr-par-1', size: 3, min_size: 2, max_size: 9, autoscaling: true },
      {
        provider: 'scaleway',
        region: 'fr-par',
        zone: 'fr-par-1',
        instanceType: 'GP1-XS',
        count: 3,
        range: { min: 2, max: 9 },
      },
    ],
    [
      'a pool of a region',
      'scaleway_k8s_pool',
      { node_type: 'DEV1-M', region: 'pl-waw', size: 2, min_size: 1, max_size: 9 },
      { provider: 'scaleway', region: 'pl-waw', instanceType: 'DEV1-M', count: 2 },
    ],
    [
      'a pool of other machines',
      'scaleway_k8s_pool',
      { node_type: 'external', region: 'fr-par', size: 2 },
      { unpriced: 'nodes of another provider' },
    ],
    [
      "somebody's OpenStack",
      'openstack_compute_instance_v2',
      { region: 'GRA11', flavor_name: 'b2-7' },
      { unpriced: 'the plan does not contain whose OpenStack this is' },
    ],
  ])('%s: %s', (_, type, after, expected) => {
    const found = one({ type, after }).after!
    if ('unpriced' in expected) expect(found).toEqual(expected)
    else expect('machines' in found && found.machines).toEqual([{ ...linux, ...expected }])
  })
})

test('an instance that the plan stops', () => {
  const machine = { instance_type: 'm5.large', availability_zone: 'us-east-1a' }
  const instance = change({ type: 'aws_instance', actions: ['no-op'], before: machine, after: machine })
  const state = change({ type: 'aws_ec2_instance_state', after: { state: 'stopped' }, unknown: { id: true } })
  const expressions = { instance_id: { references: ['aws_instance.web.id', 'aws_instance.web'] } }
  const { changes } = read({
    resource_changes: [instance, state],
    configuration: { root_module: { resources: [{ type: state.type, name: 'web', expressions }] } },
  })
  expect(changes.map(({ reading }) => reading)).toMatchObject([
    { before: { machines: [{ count: 1 }] }, after: { machines: [{ count: 0 }] } },
    { after: { free: true } },
  ])
})

describe('a number that is known only after apply', () => {
  const number = { references: ['random_integer.nodes.result', 'random_integer.nodes'] }
  const found = (resource: Change, expressions: object) => {
    const resources = [{ type: resource.type, name: 'web', expressions }]
    return one(resource, { configuration: { root_module: { resources } } }).after
  }

  test('of a group: its smallest number counts, with a note', () => {
    const group: Change = {
      type: 'aws_eks_node_group',
      after: {
        region: 'us-east-1',
        instance_types: ['m5.large'],
        scaling_config: [{ min_size: 1, max_size: 9 }],
      },
      unknown: { scaling_config: [{ desired_size: true }] },
    }
    expect(found(group, { scaling_config: [{ desired_size: number }] })).toMatchObject({
      machines: [{ count: 1, range: { min: 1, max: 9 } }],
      notes: [
        'scaling_config.desired_size is known only after apply; priced with its smallest number of machines',
        'priced without its system disk',
      ],
    })
  })

  test('of a fixed pool: it has no price, unless the provider sets the number', () => {
    const cluster: Change = {
      type: 'azurerm_kubernetes_cluster',
      after: { location: 'westeurope', default_node_pool: [{ vm_size: 'Standard_D4s_v5' }] },
      unknown: { default_node_pool: [{ node_count: true }] },
    }
    expect(found(cluster, { default_node_pool: [{ node_count: number }] })).toEqual({
      unpriced: 'default_node_pool.node_count is known only after apply',
    })
    const pool = found(cluster, { default_node_pool: [{ vm_size: { constant_value: 'Standard_D4s_v5' } }] })
    expect(pool).toMatchObject({ machines: [{ count: 1 }] })
  })
})

describe('an instance from a launch template', () => {
  const template = change({
    type: 'aws_launch_template',
    after: { name: 'web', instance_type: 'm5.xlarge', instance_market_options: [{ market_type: 'spot' }] },
  })
  const configured = (expressions: object) => ({
    configuration: {
      root_module: { resources: [{ type: 'aws_instance', name: 'web', expressions }] },
    },
  })
  const found = (after: object, unknown: object, expressions: object, templates: object[] = [template]) => {
    const instance = change({ type: 'aws_instance', after: { ...after, region: 'eu-west-1' }, unknown })
    const { changes } = read({ resource_changes: [instance, ...templates], ...configured(expressions) })
    const { reading } = changes[0]!
    const described = reading === 'unknown' ? null : reading.after
    if (described === null || !('machines' in described)) return described
    const { instanceType, usageType } = described.machines[0]!
    return [instanceType, usageType]
  }
  const byReference = { launch_template: [{ id: { references: ['aws_launch_template.web.id'] } }] }
  const launch_template = [{ version: '$Latest' }]

  test('takes its type and its market from the template', () => {
    const unknown = { instance_type: true, launch_template: [{ id: true }] }
    expect(found({ launch_template }, unknown, byReference)).toEqual(['m5.xlarge', 'SPOT_PREEMPTIBLE'])
  })

  test('may have a type of its own', () => {
    const after = { launch_template, instance_type: 'm5.large' }
    expect(found(after, { id: true }, byReference)).toEqual(['m5.large', 'SPOT_PREEMPTIBLE'])
    expect(found({ ...after, id: 'i-1' }, {}, byReference)).toEqual(['m5.large', 'ONDEMAND'])
  })

  test('has no price if the plan does not contain the template', () => {
    const after = { launch_template: [{ id: 'lt-1' }] }
    const expressions = { launch_template: [{ id: { constant_value: 'lt-1' } }] }
    expect(found(after, { instance_type: true }, expressions, [])).toEqual({
      unpriced: 'its machines come from a launch template that the plan does not contain',
    })
  })
})

describe('a group whose launch template changes', () => {
  const versions = { latest_version: true }
  test.each([
    ['$Latest', versions, 'm5.2xlarge'],
    ['2', versions, 'm5.large'],
    ['$Default', versions, 'm5.large'],
    ['$Default', { ...versions, default_version: true }, 'm5.2xlarge'],
    [undefined, versions, 'm5.large'],
  ])('in version %s, with %o known after apply', (version, unknown, expected) => {
    const was = { id: 'lt-1', instance_type: 'm5.large', latest_version: 2, default_version: 2 }
    const { latest_version, ...is } = { ...was, instance_type: 'm5.2xlarge' }
    const group = {
      desired_capacity: 3,
      region: 'us-east-1',
      launch_template: [{ id: 'lt-1', ...(version === undefined ? {} : { version }) }],
    }
    const { changes } = read({
      resource_changes: [
        change({ type: 'aws_autoscaling_group', actions: ['no-op'], before: group, after: group }),
        change({ type: 'aws_launch_template', actions: ['update'], before: was, after: is, unknown }),
      ],
    })
    const { reading } = changes[0]!
    expect(reading).toMatchObject({
      before: { machines: [{ instanceType: 'm5.large' }] },
      after: { machines: [{ instanceType: expected }] },
    })
  })
})

test('a spot fleet is on demand in part', () => {
  const type = 'aws_spot_fleet_request'
  const machines = (onDemand: number | undefined) => {
    const launch_specification = [
      { instance_type: 'm5.large', availability_zone: 'us-east-1a', weighted_capacity: '2' },
    ]
    const after = { target_capacity: 10, on_demand_target_capacity: onDemand, launch_specification }
    const { after: found } = one({ type, after })
    return found !== null && 'machines' in found && found.machines.map((one) => [one.usageType, one.count])
  }
  expect(machines(4)).toEqual([
    ['SPOT_PREEMPTIBLE', 3],
    ['ONDEMAND', 2],
  ])
  expect(machines(undefined)).toEqual([['SPOT_PREEMPTIBLE', 5]])
  expect(machines(12)).toEqual([['ONDEMAND', 5]])
})
