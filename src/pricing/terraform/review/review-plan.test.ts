import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { renderReview, renderReviewMarkdown } from '../../../cli/render/review.ts'
import { awsOffer, offer } from '../../../domain/offer.case.ts'
import { openTestMarket, type TestMarket } from '../../test-market.case.ts'
import { type Gate, gateFailures } from './review.ts'
import { type ReviewOptions, reviewPlans } from './review-plan.ts'

let fixture: TestMarket
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const resource = (
  name: string,
  actions: string[],
  before: object | null,
  after: object | null,
  type = 'aws_instance',
) => ({
  address: `${type}.${name}`,
  mode: 'managed',
  type,
  name,
  change: { actions, before, after, after_unknown: {} },
})
const at = (instance_type: string, more: object = {}) => ({
  instance_type,
  availability_zone: 'us-east-1a',
  ...more,
})
const review = (changes: object[], options?: ReviewOptions) =>
  reviewPlans(
    fixture.pricing,
    'acme',
    [{ name: 'plan.json', document: { format_version: '1.2', resource_changes: changes } }],
    options,
  )

const plan = [
  resource('created', ['create'], null, at('m5.xlarge')),
  resource('gone', ['delete'], at('m5.large'), null),
  resource('smaller', ['update'], at('m5.xlarge'), at('m5.large')),
  resource(
    'spot',
    ['delete', 'create'],
    at('m5.xlarge'),
    at('m5.xlarge', { instance_market_options: [{ market_type: 'spot' }] }),
  ),
  resource('same', ['no-op'], at('m5.large'), at('m5.large')),
  resource(
    'pool',
    ['create'],
    null,
    { region: 'us-east-1', instance_types: ['m5.large'], scaling_config: [{ desired_size: 3 }] },
    'aws_eks_node_group',
  ),
  resource('odd', ['update'], at('m5.xlarge'), at('m9.xlarge')),
  resource('host', ['create'], null, at('m5.xlarge', { tenancy: 'host' })),
  resource('bucket', ['create'], null, {}, 'aws_s3_bucket'),
  resource('net', ['create'], null, {}, 'aws_vpc'),
  resource('moon', ['update'], {}, {}, 'acme_rocket'),
]

test('each machine before and after, and what cannot be priced', async () => {
  const { changes, unpriced, unknown, free, totals } = await review(plan)
  expect(
    changes.map(({ address, action, before, after, difference_per_month }) => [
      address.split('.')[1],
      action,
      before?.cost_per_month ?? null,
      after?.cost_per_month ?? null,
      difference_per_month,
    ]),
  ).toEqual([
    ['created', 'create', null, 140.16, 140.16],
    ['gone', 'delete', 70.08, null, -70.08],
    ['smaller', 'update', 140.16, 70.08, -70.08],
    ['spot', 'replace', 140.16, 51.1, -89.06],
    ['same', 'no-op', 70.08, 70.08, 0],
    ['pool', 'create', null, 210.24, 210.24],
  ])
  expect(unpriced.map(({ address, action, reason }) => [address, action, reason])).toEqual([
    ['aws_instance.odd', 'update', 'The catalogue has no type "m9.xlarge" of AWS.'],
    ['aws_instance.host', 'create', 'tenancy host has prices of its own'],
    ['aws_s3_bucket.bucket', 'create', 'the catalogue has no prices of disks and storage'],
  ])
  expect(totals).toEqual({
    ...{ before_per_month: 420.48, after_per_month: 541.66, difference_per_month: 121.18 },
    possible_savings_per_month: 0,
  })
  expect(unknown).toEqual([
    {
      plan: 'plan.json',
      address: 'acme_rocket.moon',
      type: 'acme_rocket',
      action: 'update',
      may_raise_cost: true,
    },
  ])
  expect(free.map(({ address }) => address)).toEqual(['aws_vpc.net'])
})

describe('what stops a pipeline', () => {
  const up = [resource('up', ['create'], null, at('m5.xlarge'))]
  const rds = (actions: string[]) =>
    resource('db', actions, actions[0] === 'create' ? null : {}, {}, 'aws_db_instance')
  const rocket = (actions: string[]) => resource('moon', actions, {}, {}, 'acme_rocket')

  test.each<[string, object[], Gate, string[]]>([
    ['no gate', [...up, rds(['create'])], {}, []],
    ['below the limit', up, { maxIncreaseUsd: 140.16 }, []],
    ['above the limit', up, { maxIncreaseUsd: 140.15 }, ['rise by $140.16, more than the limit of $140.15']],
    ['a created database', [rds(['create'])], { maxIncreaseUsd: 500 }, ['1 resource has no price and could']],
    ['an unchanged database', [rds(['no-op'])], { maxIncreaseUsd: 500 }, []],
    [
      'a changed unknown',
      [rocket(['update'])],
      { maxIncreaseUsd: 500 },
      ['1 resource has no price and could'],
    ],
    ['allowed', [rocket(['update'])], { maxIncreaseUsd: 500, allowUnpriced: true }, []],
    ['strict', [rocket(['no-op']), rds(['no-op'])], { failOnUnpriced: true }, ['2 resources have no price']],
  ])('%s', async (_, changes, gate, expected) => {
    const reasons = gateFailures(await review(changes), gate)
    expect(reasons).toHaveLength(expected.length)
    for (const [i, text] of expected.entries()) expect(reasons[i]).toContain(text)
  })
})

test('suggestions stay in the region unless requested otherwise, and count every machine', async () => {
  const pool = { region: 'us-east-1', instance_types: ['m5.xlarge'], scaling_config: [{ desired_size: 3 }] }
  const suggested = async (options: ReviewOptions) => {
    const { changes } = await review(
      [resource('pool', ['create'], null, pool, 'aws_eks_node_group')],
      options,
    )
    return changes[0]!.suggestions.map(
      (s) => `${s.effort} ${s.provider} ${s.region} ${s.count} x ${s.instance_type} ${s.savings_per_month}`,
    )
  }
  expect(await suggested({})).toEqual([])
  expect(await suggested({ efforts: ['commit', 'spot'] })).toEqual([
    'commit AWS us-east-1 3 x m5.xlarge 155.49',
    'commit AWS us-east-1 3 x m5.xlarge 223.38',
    'spot AWS us-east-1 3 x m5.xlarge 267.18',
  ])
  expect(await suggested({ efforts: ['spot'], suggestions: 0 })).toEqual([])
  // A commitment is also paid for unused hours.
  expect(await suggested({ efforts: ['commit'], hours: 73 })).toEqual([])
  expect(await suggested({ efforts: ['spot'], hours: 73 })).toEqual([
    'spot AWS us-east-1 3 x m5.xlarge 26.718',
  ])
})

test.each<[string, object]>([
  [
    'aws_eks_node_group',
    { region: 'eastus', instance_types: ['big'], scaling_config: [{ desired_size: 3 }] },
  ],
  ['azurerm_kubernetes_cluster', { location: 'eastus', default_node_pool: [{ vm_size: 'big' }] }],
  ['azurerm_kubernetes_cluster_node_pool', { vm_size: 'big' }],
  ['google_container_cluster', { location: 'eastus', node_config: [{ machine_type: 'big' }], node_count: 1 }],
  [
    'google_container_node_pool',
    { location: 'eastus', node_config: [{ machine_type: 'big' }], node_count: 1 },
  ],
  ['digitalocean_kubernetes_cluster', { region: 'eastus', node_pool: [{ size: 'big', node_count: 1 }] }],
  ['digitalocean_kubernetes_node_pool', { size: 'big', node_count: 1 }],
  ['ovh_cloud_project_kube_nodepool', { flavor_name: 'big' }],
])('nodes of %s are replaced in the same region only', async (type, pool) => {
  const providers = ['aws', 'azure', 'gcp', 'digitalocean', 'ovhcloud']
  const market = await openTestMarket(
    providers.flatMap((provider, i) =>
      ['eastus', 'westus'].flatMap((region, j) =>
        [
          { instanceType: 'big', vcpus: 4, ramGib: 16, pricePerHourUsd: 0.3 },
          { instanceType: `like-${i}`, vcpus: 4, ramGib: 16, pricePerHourUsd: 0.2 - 0.02 * (2 * i + j) },
        ].map((machine) => offer({ provider, service: provider, region, family: '', ...machine })),
      ),
    ),
  )
  onTestFinished(() => market.close())
  const document = {
    format_version: '1.2',
    resource_changes: [resource('it', ['create'], null, pool, type)],
  }
  const regions = Object.fromEntries(providers.map((provider) => [provider, 'eastus']))
  const reviewed = async (efforts: ReviewOptions['efforts'] & {}) => {
    const options = { efforts, defaults: { regions, environment: {} } }
    const { changes } = await reviewPlans(market.pricing, 'acme', [{ name: 'p', document }], options)
    return changes[0]!
  }
  const wide = await reviewed(['resize', 'region', 'provider', 'anywhere'])
  expect(wide.suggestions.map(({ effort, region }) => [effort, region])).toEqual([['resize', 'eastus']])
  expect(wide.notes).toContain('nodes of a managed pool are compared within its provider and region only')
  expect((await reviewed(['resize'])).notes.join()).not.toContain('managed pool')
})

test('Windows with your own licence is compared within its provider, with a note', async () => {
  const vm = { size: 'Standard_D4s_v5', location: 'eastus' }
  const at = (provider: string, service: string, region: string, instanceType: string, usd: number) =>
    (['Linux', 'Windows'] as const).map((operatingSystem, i) =>
      offer({
        provider,
        service,
        region,
        instanceType,
        operatingSystem,
        family: '',
        vcpus: 4,
        ramGib: 16,
        pricePerHourUsd: usd + i * 0.184,
      }),
    )
  const market = await openTestMarket([
    ...at('azure', 'VirtualMachines', 'eastus', 'Standard_D4s_v5', 0.192),
    ...at('azure', 'VirtualMachines', 'eastus', 'Standard_D4as_v5', 0.172),
    ...at('azure', 'VirtualMachines', 'eastus2', 'Standard_D4as_v5', 0.16),
    ...at('aws', 'AmazonEC2', 'us-east-1', 'm6i.xlarge', 0.1),
  ])
  onTestFinished(() => market.close())
  const reviewed = async (type: string, more: object) => {
    const document = {
      format_version: '1.2',
      resource_changes: [resource('it', ['create'], null, { ...vm, ...more }, type)],
    }
    const { changes } = await reviewPlans(market.pricing, 'acme', [{ name: 'plan.json', document }], {
      efforts: ['resize', 'region', 'provider', 'anywhere'],
    })
    const [{ after, notes, suggestions }] = changes as [(typeof changes)[0]]
    return {
      hourly: after!.machines[0]!.cost_per_hour,
      notes,
      suggested: suggestions.map((one) => `${one.effort} ${one.provider} ${one.operating_system}`),
    }
  }
  expect(await reviewed('azurerm_windows_virtual_machine', { license_type: 'Windows_Server' })).toEqual({
    hourly: 0.192,
    notes: [
      'runs Windows with your own licence (Azure Hybrid Benefit): priced without the licence, compared within Azure only',
      'priced without its system disk',
    ],
    suggested: ['resize Azure Linux', 'region Azure Linux'],
  })
  for (const [type, system, hourly] of [
    ['azurerm_linux_virtual_machine', 'Linux', 0.192],
    ['azurerm_windows_virtual_machine', 'Windows', 0.376],
  ] as const)
    expect(await reviewed(type, {})).toEqual({
      hourly,
      notes: ['priced without its system disk'],
      suggested: ['resize Azure', 'region Azure', 'provider AWS'].map((text) => `${text} ${system}`),
    })
})

test('a droplet costs no more than its cap', async () => {
  const { totals } = await review([
    resource('web', ['create'], null, { size: 's-4vcpu-8gb', region: 'nyc1' }, 'digitalocean_droplet'),
  ])
  expect(totals.after_per_month).toBe(48)
})

test('cheaper disks count among possible savings, beside the best suggestion of each machine', async () => {
  const disks = {
    root_block_device: [{ volume_type: 'gp2', volume_size: 500 }],
    ebs_block_device: [{ volume_type: 'gp2', volume_size: 100 }],
  }
  const { changes, totals } = await review(
    [
      resource('web', ['create'], null, at('m5.xlarge', disks)),
      resource('gone', ['delete'], at('m5.large', disks), null),
    ],
    { efforts: ['spot'], suggestions: 2 },
  )
  const [web, gone] = changes
  expect(web!.cheaper_disks.map(({ replaces, type }) => `${replaces}: ${type}`)).toEqual([
    'gp2 500 GiB: gp3',
    'gp2 100 GiB: gp3',
  ])
  const saved = web!.cheaper_disks.reduce((sum, { savings_per_month }) => sum + savings_per_month, 0)
  const best = Math.max(...web!.suggestions.map(({ savings_per_month }) => savings_per_month))
  expect(saved).toBeGreaterThan(0)
  expect(totals.possible_savings_per_month).toBeCloseTo(best + saved, 6)
  expect(web!.notes).not.toContain('priced without its system disk')
  expect(gone!.cheaper_disks).toEqual([])
})

test('an invalid plan is refused', async () => {
  const other = [{ name: 'x.json', document: { hello: 1 } }]
  await expect(reviewPlans(fixture.pricing, 'acme', other)).rejects.toMatchObject({ code: 'invalid' })
})

test('as text', async () => {
  expect(renderReview(await review(plan, { efforts: ['spot'] }), 'text')).toBe(
    `The priced resources cost $420.48 a month before, $541.66 after: +$121.18 (+28.8%). Suggestions below would save up to $183.96.
6 resources priced, 3 known but not priced, 1 of an unknown type, 1 free of charge. 4 resources without a price are not in the totals.

CHANGE   RESOURCE                 BEFORE                   AFTER                                      A MONTH
create   aws_eks_node_group.pool  -                        m5.large x 3 AWS us-east-1                +$210.24
create   aws_instance.created     -                        m5.xlarge AWS us-east-1                   +$140.16
delete   aws_instance.gone        m5.large AWS us-east-1   -                                          -$70.08
update   aws_instance.smaller     m5.xlarge AWS us-east-1  m5.large AWS us-east-1                     -$70.08
replace  aws_instance.spot        m5.xlarge AWS us-east-1  m5.xlarge AWS us-east-1 SPOT_PREEMPTIBLE   -$89.06
1 priced resource is unchanged.

Cheaper comparable machines:
RESOURCE                 PLANNED                     EFFORT  INSTEAD                                       SAVES A MONTH  SHARE  CHANGES
aws_instance.created     m5.xlarge AWS us-east-1     spot    m5.xlarge AWS us-east-1 SPOT_PREEMPTIBLE             $89.06  63.5%  another way of paying
aws_instance.smaller     m5.large AWS us-east-1      spot    m5.xlarge AWS us-east-1 SPOT_PREEMPTIBLE             $18.98  27.1%  another way of paying
aws_instance.same        m5.large AWS us-east-1      spot    m5.xlarge AWS us-east-1 SPOT_PREEMPTIBLE             $18.98  27.1%  another way of paying
aws_eks_node_group.pool  m5.large x 3 AWS us-east-1  spot    m5.xlarge x 3 AWS us-east-1 SPOT_PREEMPTIBLE         $56.94  27.1%  another way of paying

Known but not priced (not in the totals):
TYPE           RESOURCE              CHANGE  WHY
aws_instance   aws_instance.odd      update  The catalogue has no type "m9.xlarge" of AWS.
aws_instance   aws_instance.host     create  tenancy host has prices of its own
aws_s3_bucket  aws_s3_bucket.bucket  create  the catalogue has no prices of disks and storage

Of an unknown type (not in the totals, may cost money):
TYPE         RESOURCE          CHANGE
acme_rocket  acme_rocket.moon  update

Notes:
aws_instance.created and 5 more  priced without its system disk

Prices from 2026-11-01.

Traffic, requests, operations and licences other than Windows are not included, nor disks whose size the plan does not set.
`,
  )
})

test('as Markdown, in which names are only names', async () => {
  const nasty = {
    ...resource('x', ['create'], null, at('m5.xlarge')),
    address: 'aws_instance.web["<b>|`@all`\n"]',
  }
  const markdown = renderReview(await review([nasty]), 'markdown')
  expect(markdown).toContain('### Cheapside: +$140.16 a month')
  const row = markdown.split('\n').find((line) => line.startsWith('| create'))!
  expect(row.split('|')).toHaveLength(7)
  expect(row).not.toMatch(/<b>|`|@/)
  expect(row).toContain('m5.xlarge AWS us-east-1')
  expect(row).toContain('<code>aws_instance.web')
})

test('Markdown is cut to what a comment may hold', async () => {
  const many = Array.from({ length: 3000 }, (_, i) =>
    resource(`db${i}`, ['create'], null, {}, 'aws_db_instance'),
  )
  const found = await review([...plan, ...many])
  const markdown = renderReviewMarkdown(found, 65_536)
  expect(markdown.length).toBeLessThanOrEqual(65_536)
  expect(markdown).toContain('more rows not shown')
  expect(markdown).toContain('aws_instance.created')
  expect(renderReviewMarkdown(found)).toContain('aws_db_instance.db2999')
})

test('as JSON', async () => {
  const found = await review(plan)
  expect(JSON.parse(renderReview(found, 'json'))).toEqual(found)
})

test('the faster of two machines at nearly the same price is suggested', async () => {
  const suggested = async (fasterUsd: number) => {
    const market = await openTestMarket([
      awsOffer('m5.xlarge', 0.192),
      awsOffer('m5a.xlarge', 0.172),
      awsOffer('m6a.xlarge', fasterUsd),
    ])
    onTestFinished(() => market.close())
    const document = {
      format_version: '1.2',
      resource_changes: [resource('it', ['create'], null, at('m5.xlarge'))],
    }
    const { changes } = await reviewPlans(market.pricing, 'acme', [{ name: 'plan.json', document }])
    return changes[0]!.suggestions.map(({ instance_type, changes }) => [instance_type, changes])
  }
  expect(await suggested(0.1728)).toEqual([['m6a.xlarge', []]])
  expect(await suggested(0.18)).toEqual([['m5a.xlarge', ['slower-cores']]])
})

test('a machine for measured usage has memory for the operating system too', async () => {
  const machine = at('m5.xlarge', { tags: { Name: 'web-1' } })
  const suggested = async (ram_gb: number) => {
    const { changes } = await review([resource('it', ['update'], machine, machine)], {
      sizeOf: (name) => (name === 'web-1' ? { cpu_cores: 1, ram_gb } : undefined),
    })
    return changes[0]!.suggestions.map(({ instance_type }) => instance_type)
  }
  expect(await suggested(7.6)).toEqual(['m5.large'])
  expect(await suggested(7.7)).toEqual([])
})

test('a planned type that has ended is said to have, one that goes away is not', async () => {
  const { changes } = await review([
    resource('new', ['create'], null, at('p3.2xlarge')),
    resource('old', ['update'], at('p3.2xlarge'), at('m5.xlarge')),
  ])
  expect(changes.map(({ notes }) => notes.slice(1))).toEqual([['The type p3.2xlarge is retired.'], []])
})

test('a limit copied from the review passes, although the difference has more decimals', async () => {
  const found = await review([resource('it', ['create'], null, at('m5.xlarge'))])
  const rising = { ...found, totals: { ...found.totals, difference_per_month: 344.414 } }
  expect(gateFailures(rising, { maxIncreaseUsd: 344.41 })).toEqual([])
  expect(gateFailures(rising, { maxIncreaseUsd: 344.4 })).toEqual([
    'the monthly cost would rise by $344.41, more than the limit of $344.4',
  ])
})

test.each([
  ['2026-11-15', 'Prices from 2026-11-01.'],
  ['2027-01-15', 'Prices from 2026-11-01; some are older than 60 days.'],
  [
    '2027-11-15',
    'Prices from 2026-11-01; older than a year, so ask the provider before acting on them: m5.xlarge, us-east-1 (2026-11-01).',
  ],
])('the age of prices on %s', async (today, text) => {
  const found = await review([resource('created', ['create'], null, at('m5.xlarge'))], { today })
  expect(renderReview(found, 'text')).toContain(text)
})
