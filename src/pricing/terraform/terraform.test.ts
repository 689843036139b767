import { describe, expect, test } from 'vitest'
import { planProviders } from '../../providers/terraform/plan-providers.ts'
import { change, one, read } from './plan.case.ts'
import { NotAPlan, readTerraformDifference, readTerraformPlan } from './terraform.ts'
import { planValues } from './values.ts'

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
