import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { roundSum } from '../src/domain/money.ts'
import { gateFailures } from '../src/pricing/terraform/review/review.ts'
import { type ReviewOptions, reviewPlans } from '../src/pricing/terraform/review/review-plan.ts'
import { Review } from '../src/pricing/terraform/review/schema.ts'
import { planMarket } from './plans/market.ts'

const deps = planMarket()
const review = (changes: readonly object[], options: ReviewOptions = {}): Promise<Review> =>
  reviewPlans(
    deps,
    'acme',
    [{ name: 'plan', document: { format_version: '1.2', resource_changes: changes } }],
    { suggestions: 0, ...options },
  )

const attributes = fc.oneof(
  fc.record({
    type: fc.constantFrom('aws_instance', 'aws_spot_instance_request'),
    values: fc.record({
      instance_type: fc.constantFrom('m5.large', 'm5.xlarge', 't3.medium', 'm9.none', '', null),
      availability_zone: fc.constantFrom('us-east-1a', 'eu-west-1b', 'mars-1a', null),
      tenancy: fc.constantFrom('default', 'host', null),
    }),
  }),
  fc.record({
    type: fc.constant('aws_eks_node_group'),
    values: fc.record({
      region: fc.constantFrom('us-east-1', null),
      instance_types: fc.constantFrom(['m5.large'], ['m5.xlarge', 'm5.large'], null),
      capacity_type: fc.constantFrom('SPOT', 'ON_DEMAND'),
      scaling_config: fc
        .tuple(fc.nat(20), fc.nat(20), fc.nat(20))
        .map(([desired_size, min_size, max_size]) => [{ desired_size, min_size, max_size }]),
    }),
  }),
  fc.record({
    type: fc.constantFrom(
      'digitalocean_droplet',
      'aws_db_instance',
      'aws_vpc',
      'acme_rocket',
      '__proto__',
      '',
    ),
    values: fc.record({ size: fc.constantFrom('s-2vcpu-4gb', 's-1vcpu-1gb'), region: fc.constant('nyc3') }),
  }),
)
const actions = fc.constantFrom(
  ['create'],
  ['delete'],
  ['update'],
  ['delete', 'create'],
  ['no-op'],
  ['forget'],
)

const change = fc.tuple(attributes, actions).map(([{ type, values }, taken]) => ({
  type,
  mode: 'managed',
  change: {
    actions: taken,
    before: taken[0] === 'create' ? null : values,
    after: taken.length === 1 && (taken[0] === 'delete' || taken[0] === 'forget') ? null : values,
  },
}))
const plan = fc
  .array(change, { maxLength: 12 })
  .map((changes) => changes.map((one, i) => ({ ...one, name: `r${i}`, address: `${one.type}.r${i}` })))

test('every resource is in exactly one list, and the totals are the sums of the priced ones', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (changes) => {
      const found = await review(changes)
      const listed = [found.changes, found.unpriced, found.unknown, found.free].flat()
      expect(listed.map(({ address }) => address).sort()).toEqual(
        changes.map(({ address }) => address).sort(),
      )
      for (const side of ['before', 'after'] as const) {
        const sum = found.changes.reduce((total, one) => total + (one[side]?.cost_per_month ?? 0), 0)
        expect(found.totals[`${side}_per_month`]).toBe(roundSum(sum))
      }
    }),
  )
})

test('an additional resource never lowers the total', async () => {
  await fc.assert(
    fc.asyncProperty(plan, attributes, async (changes, { type, values }) => {
      const more = { type, name: 'more', address: 'more', change: { actions: ['create'], after: values } }
      const [without, together] = [await review(changes), await review([...changes, more])]
      expect(together.totals.after_per_month).toBeGreaterThanOrEqual(without.totals.after_per_month)
      expect(together.totals.before_per_month).toBe(without.totals.before_per_month)
    }),
  )
})

test('a resource without a price that is created, updated or replaced fails every limit', async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.double({ min: 0, max: 1e12, noNaN: true }), async (changes, maxIncreaseUsd) => {
      const found = await review(changes)
      const open = [...found.unpriced, ...found.unknown]
      const rising = open.filter(({ action }) => ['create', 'update', 'replace'].includes(action))
      if (rising.length > 0) expect(gateFailures(found, { maxIncreaseUsd })).not.toEqual([])
      if (found.unknown.length > 0) expect(gateFailures(found, { maxIncreaseUsd })).not.toEqual([])
      if (open.length > 0) expect(gateFailures(found, { failOnUnpriced: true })).not.toEqual([])
    }),
  )
})

test('fewer hours never cost more', async () => {
  const hours = fc.double({ min: 1, max: 744, noNaN: true })
  await fc.assert(
    fc.asyncProperty(plan, hours, hours, async (changes, a, b) => {
      const [fewer, more] = [Math.min(a, b), Math.max(a, b)]
      const [less, all] = [await review(changes, { hours: fewer }), await review(changes, { hours: more })]
      expect(less.totals.after_per_month).toBeLessThanOrEqual(all.totals.after_per_month)
    }),
  )
})

test('the JSON output has the documented schema', async () => {
  const file = join(import.meta.dirname, '../docs/review.schema.json')
  expect(JSON.parse(readFileSync(file, 'utf8')), 'run node build/review-schema.ts').toEqual(
    JSON.parse(JSON.stringify(Review)),
  )
  const compiled = Compile(Review)
  await fc.assert(
    fc.asyncProperty(plan, async (changes) => {
      const options = { suggestions: 1, efforts: ['resize', 'commit', 'spot'] as const, today: '2026-11-15' }
      const found = await review(changes, options)
      expect([...compiled.Errors(JSON.parse(JSON.stringify(found)))]).toEqual([])
    }),
  )
})
