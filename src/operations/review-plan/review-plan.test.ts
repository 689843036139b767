import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderReview } from '../../cli/render/review.ts'
import { openTestMarket, type TestMarket } from '../pricing/test-market.case.ts'
import { exceedsIncrease, type ReviewOptions, reviewPlan } from './review-plan.ts'

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
  reviewPlan(fixture.pricing, 'acme', { format_version: '1.2', resource_changes: changes }, options)

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
]

test('each machine before and after, and what cannot be priced', async () => {
  const { changes, unpriced, totals, other_resources } = await review(plan)
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
  expect(unpriced).toEqual([
    {
      address: 'aws_instance.odd',
      action: 'update',
      reason: 'Our catalogue has no type "m9.xlarge" of AWS.',
    },
    { address: 'aws_instance.host', action: 'create', reason: 'tenancy host has prices of its own' },
  ])
  expect(totals).toEqual({ before_per_month: 420.48, after_per_month: 541.66, difference_per_month: 121.18 })
  expect(other_resources).toBe(1)
})

test('exceeds', async () => {
  const up = await review(plan)
  expect([exceedsIncrease(up, 121.17), exceedsIncrease(up, 121.18), exceedsIncrease(up, 0)]).toEqual([
    true,
    false,
    true,
  ])
  const down = await review([resource('gone', ['delete'], at('m5.large'), null)])
  expect(exceedsIncrease(down, 0)).toBe(false)
})

test('suggestions hold the whole machine, in the region unless asked otherwise', async () => {
  const dearer = [
    resource('eu', ['create'], null, { instance_type: 'm5.xlarge', availability_zone: 'eu-west-1b' }),
  ]
  const suggested = async (suggestFrom: ReviewOptions['suggestFrom'], suggestions = 3) => {
    const { changes } = await review(dearer, { ...(suggestFrom && { suggestFrom }), suggestions })
    return changes[0]!.suggestions.map(
      (s) => `${s.provider} ${s.region} ${s.instance_type} ${s.savings_per_month}`,
    )
  }
  expect(await suggested(undefined)).toEqual([])
  // Virginia is not near Ireland.
  expect(await suggested('provider')).toEqual([])
  expect(await suggested('anywhere')).toEqual([
    'AWS us-east-1 m5.xlarge 16.06',
    'GCP us-central1 n2-standard-4 14.428',
  ])
  expect(await suggested('anywhere', 0)).toEqual([])
})

test('a droplet costs no more than its cap', async () => {
  const { totals } = await review([
    resource('web', ['create'], null, { size: 's-4vcpu-8gb', region: 'nyc1' }, 'digitalocean_droplet'),
  ])
  expect(totals.after_per_month).toBe(48)
})

test('what is no plan is refused', async () => {
  await expect(reviewPlan(fixture.pricing, 'acme', { hello: 1 })).rejects.toMatchObject({ code: 'invalid' })
})

test('as text', async () => {
  expect(
    renderReview(await review(plan, { suggestFrom: 'anywhere', suggestions: 1 }), 'text', '2026-11-15'),
  ).toBe(
    `Machines cost $420.48 a month before, $541.66 after: +$121.18 (+28.8%).

CHANGE   RESOURCE                 BEFORE                   AFTER                                      A MONTH
create   aws_eks_node_group.pool  -                        m5.large x 3 AWS us-east-1                +$210.24
create   aws_instance.created     -                        m5.xlarge AWS us-east-1                   +$140.16
delete   aws_instance.gone        m5.large AWS us-east-1   -                                          -$70.08
update   aws_instance.smaller     m5.xlarge AWS us-east-1  m5.large AWS us-east-1                     -$70.08
replace  aws_instance.spot        m5.xlarge AWS us-east-1  m5.xlarge AWS us-east-1 SPOT_PREEMPTIBLE   -$89.06
1 machine unchanged.

Cheaper and at least as large:
RESOURCE                 PLANNED                     INSTEAD                        SAVES A MONTH  SHARE
aws_instance.smaller     m5.large AWS us-east-1      s-4vcpu-8gb DigitalOcean nyc1         $22.08  31.5%
aws_instance.same        m5.large AWS us-east-1      s-4vcpu-8gb DigitalOcean nyc1         $22.08  31.5%
aws_eks_node_group.pool  m5.large x 3 AWS us-east-1  s-4vcpu-8gb DigitalOcean nyc1         $66.24  31.5%

Not priced and not included in the totals:
update  aws_instance.odd   Our catalogue has no type "m9.xlarge" of AWS.
create  aws_instance.host  tenancy host has prices of its own

1 other resource is not a machine and was not reviewed.

Prices of 2026-11-01.
`,
  )
})

test('as Markdown, in which names are only names', async () => {
  const nasty = {
    ...resource('x', ['create'], null, at('m5.xlarge')),
    address: 'aws_instance.web["<b>|`@all`\n"]',
  }
  const markdown = renderReview(await review([nasty]), 'markdown', '2027-03-01')
  expect(markdown).toContain('### Cheapside: +$140.16 a month')
  expect(markdown).toContain('Prices of 2026-11-01; some are older than 60 days.')
  const row = markdown.split('\n').find((line) => line.startsWith('| create'))!
  expect(row.split('|')).toHaveLength(7)
  expect(row).not.toMatch(/<b>|`|@/)
  expect(row).toContain('m5.xlarge AWS us-east-1')
  expect(row).toContain('<code>aws_instance.web')
})

test('as JSON', async () => {
  const found = await review(plan)
  expect(JSON.parse(renderReview(found, 'json', '2026-11-15'))).toEqual(found)
})
