import { describe, expect, test } from 'vitest'
import { planProviders } from '../importers/terraform/plan-providers.ts'
import { NotAPlan, readTerraformDifference, readTerraformPlan } from './terraform.ts'
import { planValues } from './values.ts'

interface Change {
  readonly type: string
  readonly name?: string
  readonly module?: string
  readonly actions?: string[]
  readonly before?: object | null
  readonly after?: object | null
  readonly unknown?: object
}

const change = ({
  type,
  name = 'web',
  module,
  actions = ['create'],
  before = null,
  after = null,
  unknown = {},
}: Change) => ({
  address: `${module ? `${module}.` : ''}${type}.${name}`,
  ...(module ? { module_address: module } : {}),
  mode: 'managed',
  type,
  name,
  change: { actions, before, after, after_unknown: unknown },
})

const read = (plan: object) => readTerraformPlan({ format_version: '1.2', ...plan }, planProviders)
const one = (resource: Change, more: object = {}) => {
  const { reading, ...found } = read({ resource_changes: [change(resource)], ...more }).changes[0]!
  return { ...found, ...(reading === 'unknown' ? { before: null, after: null } : reading) }
}

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

const machine = { instance_type: 'm5.large', availability_zone: 'us-east-1a' }
const regionOf = (reading: unknown) => (reading as { machines?: { region: string }[] }).machines?.[0]?.region

describe('what happens to it', () => {
  test.each<[string, string[], boolean, boolean, string]>([
    ['created', ['create'], false, true, 'create'],
    ['destroyed', ['delete'], true, false, 'delete'],
    ['changed', ['update'], true, true, 'update'],
    ['replaced', ['delete', 'create'], true, true, 'replace'],
    ['replaced, the new one first', ['create', 'delete'], true, true, 'replace'],
    ['left alone', ['no-op'], true, true, 'no-op'],
    ['of two unusual kinds', ['update', 'delete'], true, true, 'update'],
  ])('%s', (_, actions, hasBefore, hasAfter, action) => {
    const found = one({
      type: 'aws_instance',
      actions,
      before: hasBefore ? machine : null,
      after: hasAfter ? machine : null,
    })
    expect([found.action, found.before !== null, found.after !== null]).toEqual([action, hasBefore, hasAfter])
  })

  test('what is forgotten goes on running', () => {
    const found = one({ type: 'aws_instance', actions: ['forget'], before: machine })
    expect(found.after).toEqual(found.before)
    const beside = one({
      type: 'aws_instance',
      actions: ['create', 'forget'],
      before: machine,
      after: machine,
    })
    expect([beside.action, beside.before]).toEqual(['create', null])
  })

  test('data sources are left out; a type that is not declared is unknown', () => {
    const data = { ...change({ type: 'aws_instance', actions: ['read'], after: machine }), mode: 'data' }
    const bucket = change({ type: 'aws_s3_bucket', after: {} })
    const other = change({ type: 'acme_rocket', after: {} })
    const { changes } = read({ resource_changes: [data, bucket, other] })
    expect(changes.map(({ type, reading }) => [type, reading])).toEqual([
      [
        'aws_s3_bucket',
        { before: null, after: { unpriced: 'the catalogue has no prices of disks and storage' } },
      ],
      ['acme_rocket', 'unknown'],
    ])
  })

  test('a value known only after apply', () => {
    const unknown = { instance_type: true, availability_zone: true }
    expect(one({ type: 'aws_instance', after: {}, unknown }).after).toEqual({
      unpriced: 'instance_type is known only after apply',
    })
  })
})

describe('the region of the provider block', () => {
  const after = { instance_type: 'm5.large' }
  const configuration = (expression: object, key = 'aws', more: object = {}) => ({
    configuration: {
      provider_config: { [key]: { name: 'aws', expressions: { region: expression }, ...more } },
      root_module: { resources: [{ type: 'aws_instance', name: 'web', provider_config_key: key }] },
    },
  })
  const variable = { references: ['var.region'] }

  test.each<[string, object, string | undefined]>([
    ['a constant', configuration({ constant_value: 'eu-west-3' }), 'eu-west-3'],
    ['an alias', configuration({ constant_value: 'eu-west-3' }, 'aws.paris'), 'eu-west-3'],
    [
      'a variable',
      { ...configuration(variable), variables: { region: { value: 'eu-west-2' } } },
      'eu-west-2',
    ],
    ['an expression', configuration({ references: ['local.region'] }), undefined],
    ['part of a variable', configuration({ references: ['var.site.region', 'var.site'] }), undefined],
    ['nothing', {}, undefined],
  ])('%s', (_, plan, expected) => {
    expect(regionOf(one({ type: 'aws_instance', after }, plan).after)).toBe(expected)
  })

  test('a provider that a module takes from the root', () => {
    const plan = {
      configuration: {
        provider_config: { 'aws.paris': { expressions: { region: { constant_value: 'eu-west-3' } } } },
        root_module: {
          module_calls: {
            a: {
              module: {
                resources: [{ type: 'aws_instance', name: 'web', provider_config_key: 'module.a:aws.paris' }],
              },
            },
          },
        },
      },
    }
    const found = one({ type: 'aws_instance', module: 'module.a', after }, plan).after
    expect(regionOf(found)).toBe('eu-west-3')
  })

  test('the default of a variable, of the root and of a module', () => {
    const root = configuration(variable)
    const withDefault = {
      configuration: {
        ...root.configuration,
        root_module: { ...root.configuration.root_module, variables: { region: { default: 'eu-north-1' } } },
      },
    }
    expect(regionOf(one({ type: 'aws_instance', after }, withDefault).after)).toBe('eu-north-1')
    const given = { ...withDefault, variables: { region: { value: 'eu-west-2' } } }
    expect(regionOf(one({ type: 'aws_instance', after }, given).after)).toBe('eu-west-2')
    const key = 'module.a:aws'
    const inModule = {
      configuration: {
        provider_config: { [key]: { module_address: 'module.a', expressions: { region: variable } } },
        root_module: {
          module_calls: {
            a: {
              module: {
                variables: { region: { default: 'ca-west-1' } },
                resources: [
                  { type: 'aws_instance', name: 'web', provider_config_key: key },
                  { type: 'aws_instance', name: 'web', provider_config_key: 'a later one' },
                ],
              },
            },
          },
        },
      },
    }
    expect(regionOf(one({ type: 'aws_instance', module: 'module.a', after }, inModule).after)).toBe(
      'ca-west-1',
    )
  })

  test('a variable with the name of what every object has', () => {
    const key = 'module.a:aws'
    const named = { references: ['var.constructor'] }
    const inner = {
      variables: { constructor: { default: 'ca-west-1' } },
      resources: [{ type: 'aws_instance', name: 'web', provider_config_key: key }],
    }
    const plan = {
      configuration: {
        provider_config: { [key]: { module_address: 'module.a', expressions: { region: named } } },
        root_module: { module_calls: { a: { expressions: {}, module: inner } } },
      },
    }
    expect(regionOf(one({ type: 'aws_instance', module: 'module.a', after }, plan).after)).toBe('ca-west-1')
  })

  test('a variable handed down through modules', () => {
    const inner = {
      resources: [{ type: 'aws_instance', name: 'web', provider_config_key: 'module.a.module.b:aws' }],
    }
    const plan = {
      variables: { home: { value: 'sa-east-1' } },
      configuration: {
        provider_config: {
          'module.a.module.b:aws': { module_address: 'module.a.module.b', expressions: { region: variable } },
        },
        root_module: {
          module_calls: {
            a: {
              expressions: { place: { references: ['var.home'] } },
              module: {
                module_calls: {
                  b: { expressions: { region: { references: ['var.place'] } }, module: inner },
                },
              },
            },
          },
        },
      },
    }
    const module = 'module.a["x.y"].module.b[0]'
    expect(regionOf(one({ type: 'aws_instance', module, after }, plan).after)).toBe('sa-east-1')
  })
})

test('an instance that the plan stops', () => {
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

test('each of a count and for_each stands for itself', () => {
  const changes = ['[0]', '[1]', '["a\\"b"]'].map((index) => ({
    ...change({ type: 'aws_instance', after: machine }),
    address: `aws_instance.web${index}`,
  }))
  expect(read({ resource_changes: changes }).changes.map(({ address }) => address)).toEqual([
    'aws_instance.web[0]',
    'aws_instance.web[1]',
    'aws_instance.web["a\\"b"]',
  ])
})

const inState = (name: string, more: object = {}) => ({
  address: `aws_instance.${name}`,
  mode: 'managed',
  type: 'aws_instance',
  name,
  values: machine,
  ...more,
})
const withState = (resources: object[], resource_changes: object[] = [], more: object = {}) => ({
  resource_changes,
  prior_state: { values: { root_module: { resources, ...more } } },
})
const happens = (plan: object) => read(plan).changes.map(({ address, action }) => `${action} ${address}`)

test('what the plan leaves out but the prior state holds is unchanged, modules included', () => {
  const deep = { child_modules: [{ address: 'module.m', resources: [inState('deep')] }] }
  const plan = withState(
    [inState('web'), inState('old'), inState('seen', { mode: 'data' })],
    [change({ type: 'aws_instance', after: machine })],
    deep,
  )
  expect(happens(plan)).toEqual([
    'create aws_instance.web',
    'no-op aws_instance.old',
    'no-op module.m.aws_instance.deep',
  ])
  expect(happens({ values: plan.prior_state.values })).toHaveLength(3)
})

test('Terraform 0.12 leaves index and module out of the addresses in a state', () => {
  const instances = [0, 1, 2, 3, 4].map((index) => ({ index }))
  const listed = instances.map(({ index }) => ({
    ...change({ type: 'aws_instance', actions: ['no-op'], before: machine, after: machine }),
    address: `aws_instance.web[${index}]`,
    index,
  }))
  const inModule = change({ type: 'aws_instance', module: 'module.m', actions: ['no-op'], after: machine })
  const plan = withState(
    instances.map((one) => inState('web', one)),
    [...listed, inModule],
    { child_modules: [{ address: 'module.m', resources: [inState('web')] }] },
  )
  expect(happens(plan)).toHaveLength(6)
})

test('what was moved is counted where it went', () => {
  const moved = {
    ...change({ type: 'aws_instance', actions: ['no-op'], before: machine, after: machine }),
    previous_address: 'aws_instance.old["a"]',
  }
  expect(happens(withState([inState('old', { index: 'a' })], [moved]))).toEqual(['no-op aws_instance.web'])
})

test('a machine whose replacement was interrupted is in a state beside its successor', () => {
  const state = (...kinds: { instance_type: string; deposed_key?: string }[]) => ({
    format_version: '1.0',
    values: {
      root_module: {
        resources: kinds.map(({ instance_type, ...key }) => ({
          ...{ address: 'aws_instance.web', mode: 'managed', type: 'aws_instance', name: 'web', ...key },
          values: { ...machine, instance_type },
        })),
      },
    },
  })
  const before = state({ instance_type: 'm5.large' }, { instance_type: 'm4.large', deposed_key: 'a1' })
  const { changes } = readTerraformDifference(before, state({ instance_type: 'm5.large' }), planProviders)
  expect(changes.map(({ address, action }) => [address, action])).toEqual([
    ['aws_instance.web', 'no-op'],
    ['aws_instance.web (deposed a1)', 'delete'],
  ])
})

test('a plan that Terraform could not finish is refused', () => {
  const finished = { resource_changes: [], planned_values: {}, errored: false }
  expect(read(finished).changes).toEqual([])
  const errored = { ...finished, errored: true }
  expect(() => read(errored)).toThrow(NotAPlan)
  expect(() => readTerraformDifference(finished, errored, planProviders)).toThrow(NotAPlan)
})

test('drift is counted, and is no change of the plan', () => {
  const drifted = change({ type: 'aws_instance', actions: ['update'], before: machine, after: machine })
  expect(read({ resource_changes: [], resource_drift: [drifted] })).toEqual({ changes: [], drifted: 1 })
})

test('what is deferred has no price yet', () => {
  const deferred = {
    reason: 'instance_count_unknown',
    resource_change: change({ type: 'aws_instance', after: machine }),
  }
  const { changes } = read({ resource_changes: [], deferred_changes: [deferred] })
  expect(changes[0]!.reading).toMatchObject({
    after: { unpriced: 'the plan leaves it to a later one (instance_count_unknown)' },
  })
})

test('values of another kind than expected read as nothing', () => {
  const values = planValues(
    { size: 'large', count: Number.NaN, on: 'true', block: [{ name: 4, many: ['a', 'b'] }] },
    { block: [{ name: false, many: true }], all: true },
    {
      providerSetting: () => '',
      isUnset: () => false,
      resource: () => undefined,
      before: () => undefined,
      referrers: () => [],
    },
  )
  expect([values.text('size'), values.text('block.name'), values.text('none.name')]).toEqual([
    'large',
    '',
    '',
  ])
  expect([values.number('block.name'), values.number('size'), values.number('count')]).toEqual([
    4,
    undefined,
    undefined,
  ])
  expect([values.flag('on'), values.length('block.many'), values.length('size')]).toEqual([false, 2, 0])
  const unknown = ['block.name', 'block.many', 'block.many.deep', 'all', 'all.deep', 'block', 'none']
  expect(unknown.filter((path) => values.isUnknown(path))).toEqual([
    'block.many',
    'block.many.deep',
    'all',
    'all.deep',
  ])
})

test.each([null, 5, 'x', [], {}, { values: {} }, { resources: [] }])('%j is no plan', (document) => {
  expect(() => readTerraformPlan(document, planProviders)).toThrow(NotAPlan)
})

test.each([
  {
    resource_changes: [
      null,
      5,
      {},
      { change: null },
      { type: 'aws_instance', change: { actions: ['create'], after: [] } },
    ],
  },
  { resource_changes: 'x', planned_values: {} },
  {
    resource_changes: [],
    prior_state: { values: { root_module: { resources: 'x', child_modules: [null] } } },
  },
  { resource_changes: [change({ type: '__proto__', after: {} })], configuration: { provider_config: 7 } },
])('a plan in an odd shape is read as far as it goes', (plan) => {
  expect(() => read(plan)).not.toThrow()
})

test('references that lead in circles are followed once each', () => {
  const circle = { references: ['module.a.o', 'module.a.o', 'module.a.p'] }
  const outputs = Object.fromEntries(
    ['o', 'p'].map((name) => [name, { expression: { references: ['var.v', 'var.v', 'var.w'] } }]),
  )
  const { changes } = read({
    resource_changes: [
      change({
        type: 'aws_autoscaling_group',
        after: { desired_capacity: 2, launch_template: [{ version: '1' }] },
        unknown: { launch_template: [{ id: true }] },
      }),
    ],
    configuration: {
      root_module: {
        resources: [
          {
            type: 'aws_autoscaling_group',
            name: 'web',
            mode: 'managed',
            expressions: { launch_template: [{ id: circle }] },
          },
        ],
        module_calls: { a: { expressions: { v: circle, w: circle }, module: { outputs } } },
      },
    },
  })
  expect(changes[0]!.reading).toMatchObject({ after: { unpriced: expect.any(String) } })
})
