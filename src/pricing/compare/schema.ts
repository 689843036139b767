import Type from 'typebox'
import { MachineDescription } from '../../catalogue/facts/schema.ts'
import { leftOutReasons } from '../../catalogue/left-out.ts'
import { priceSources, usageTypes } from '../../domain/offer.ts'
import { boolean, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { PriceRuleNames, Savings } from '../answer/schema.ts'
import { CommittedSaving } from '../commitments/schema.ts'
import { RecommendationBody } from '../request/schema.ts'

import { efforts } from './comparison.ts'

const members = RecommendationBody.properties

/** The body of POST /recommendations, except that members which can be filled in are optional. */
export const ComparisonBody = Type.Object({
  ...members,
  operating_system: optional(members.operating_system),
  usage_type: optional(members.usage_type),
  availability_zone: optional(members.availability_zone),
  service: optional(members.service),
  vm: optional(members.vm),
  usage: optional(members.usage),
  predicates: optional(members.predicates),
  anywhere: optional(boolean('Add the cheapest offers of all regions worldwide. Default: false')),
})

const Size = Type.Object({ cpu_cores: Type.Number(), ram_gb: Type.Number() })

export type PriceOrigin = View<typeof PriceOrigin>
export const PriceOrigin = Type.Object({
  price_source: Type.Enum([...priceSources]),
  price_rules: optional(PriceRuleNames),
  source: Type.String(),
  day: nullable(Type.String()),
  age_days: nullable(Type.Integer()),
  is_old: boolean('Older than 60 days'),
  is_indicative: boolean('A spot price older than 7 days'),
})

export type ComparedOffer = View<typeof ComparedOffer>
export const ComparedOffer = Type.Object({
  provider: string('Display name'),
  region: Type.String(),
  availability_zone: Type.String(),
  instance_type: Type.String(),
  operating_system: Type.String(),
  usage_type: Type.Enum([...usageTypes]),
  term: nullable(string('Of a reserved price: 1y, 3y, 1y-savings-plan, ...')),
  vm: nullable(Size),
  gpu: nullable(
    Type.Object({
      count: number('A fraction for a part of a card'),
      name: Type.String(),
    }),
  ),
  cost_per_hour: Type.Number(),
  cost_per_month: number(
    '730 hours, or if that is lower the monthly cap or the price with sustained use discounts',
  ),
  price: PriceOrigin,
  machine: MachineDescription,
})

export type ComparedCandidate = View<typeof ComparedCandidate>
export const ComparedCandidate = Type.Object({
  ...ComparedOffer.properties,
  savings: Savings,
  commitments: optional({
    ...CommittedSaving,
    description:
      'Of a machine that your commitments cover, or if they cover the offer: what replacing it saves while they last, and after. savings are without them',
  }),
})

export type ComparisonOption = View<typeof ComparisonOption>
export const ComparisonOption = Type.Object({
  effort: Type.Enum([...efforts]),
  why: Type.String(),
  offers: Type.Array(ComparedCandidate, {
    description:
      'Cheapest first, by term for commitments; of those that cost at most 1% more than the cheapest, the fastest first',
  }),
})

export type Comparison = View<typeof Comparison>
export const Comparison = Type.Object({
  current: Type.Object({
    ...ComparedOffer.properties,
    usage: Size,
    required: Size,
    notes: Type.Array(Type.String()),
    newer_at_same_price: Type.Union(
      [
        Type.Object({
          instance_type: Type.String(),
          cost_per_hour: Type.Number(),
          performance_ratio: Type.Number(),
        }),
        Type.Null(),
      ],
      { description: 'A newer type in the same place that is faster and costs the same; it is no option' },
    ),
  }),
  options: Type.Array(ComparisonOption, {
    description: 'In order of effort; an effort with nothing cheaper is left out',
  }),
  unpriced_efforts: Type.Array(Type.Enum([...efforts]), {
    description:
      'commit or spot, if no such price of any machine is known in the region and nothing can be compared',
  }),
  left_out: Type.Array(Type.Object({ reason: Type.Enum([...leftOutReasons]), offers: Type.Integer() }), {
    description:
      'How many cheaper offers that are large enough are not comparable, by the first reason that applies',
  }),
  scope: Type.String(),
})
