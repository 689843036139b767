import Type from 'typebox'
import { priceSources } from '../../../domain/offer.ts'
import { boolean, integer, nullable, number, optional, string, type View } from '../../../domain/schema.ts'
import { PriceRuleNames } from '../../answer/schema.ts'
import { efforts } from '../../compare/comparison.ts'

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const amount = (description: string) => number(description)
const count = (description: string) => integer(description, { minimum: 0 })
const orNull = <Schema extends Type.TSchema>(schema: Schema) => nullable(schema)
const object = <Members extends Type.TProperties>(properties: Members, description?: string) =>
  Type.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  })
/** A union of literals. The API document lists them as such. */
const words = <Word extends string>(names: readonly Word[]) =>
  Type.Union(names.map((name) => Type.Literal(name))) as Type.TSchema as Type.TEnum<Word[]>

/** It changes when a member is removed or changes its meaning. */
const reviewVersion = 1

export type ReviewedResource = View<typeof ReviewedResource>
export const ReviewedResource = object({
  plan: text('Name of the file, as given'),
  address: text('Address in Terraform'),
  type: text("Terraform's resource type"),
  action: words(['create', 'delete', 'update', 'replace', 'no-op', 'forget']),
})
const mayRaiseCost = boolean('Whether applying the plan could increase its cost')
const scaled = orNull(
  object({ count: count('Machines'), cost_per_month: amount('US dollars') }, 'null if the number is fixed'),
)
const place = {
  provider: text(),
  region: text(),
  availability_zone: text("'' if it has none"),
  instance_type: text(),
  operating_system: words<string>(['Linux', 'Windows']),
  usage_type: words<string>(['ONDEMAND', 'RESERVED', 'SPOT_PREEMPTIBLE']),
}
const priceDay = orNull(text('Day of the price, YYYY-MM-DD; null if not known'))
const pricedBy = {
  price_day: priceDay,
  price_source: words(priceSources),
  price_rules: optional(PriceRuleNames),
}
export type PricedMachines = View<typeof PricedMachines>
export const PricedMachines = object({
  ...place,
  count: count('Number of machines; for a group the desired number'),
  cost_per_hour: amount('US dollars for one machine'),
  cost_per_month: amount('US dollars for all of them'),
  ...pricedBy,
  minimum: scaled,
  maximum: scaled,
})
export type PricedCharge = View<typeof PricedCharge>
export const PricedCharge = object(
  {
    name: text('Disk or other thing that is charged for, such as "gp3 100 GiB"'),
    provider: text(),
    region: text(),
    count: count('Number of them'),
    cost_per_month: amount('US dollars for all of them, for the whole month'),
    price_day: priceDay,
    source: text('Where the price was read'),
    is_estimate: Type.Boolean(),
  },
  'What is charged for beside machines. Traffic, requests and operations are not included',
)
export type PricedSide = View<typeof PricedSide>
export const PricedSide = object(
  {
    machines: Type.Array(PricedMachines),
    charges: Type.Array(PricedCharge),
    cost_per_month: amount('US dollars'),
  },
  'null if the resource does not exist on this side',
)
export type Suggestion = View<typeof Suggestion>
export const Suggestion = object({
  replaces: count('Index in after.machines of the machines that it replaces'),
  effort: words(efforts),
  ...place,
  term: orNull(text('Term of a commitment')),
  cpu_cores: orNull(amount('Cores of one machine')),
  ram_gb: orNull(amount('GiB of one machine')),
  count: count('Machines'),
  cost_per_hour: amount('US dollars for one machine'),
  cost_per_month: amount('US dollars for all of them'),
  ...pricedBy,
  savings_per_month: amount('US dollars for all of them'),
  savings_percentage: amount('Percentage of the monthly cost'),
  changes: Type.Array(text(), { description: 'Differences from the planned machine' }),
  sized_for: orNull(
    object(
      { cpu_cores: Type.Number(), ram_gb: Type.Number() },
      'Size that is needed according to usage history; null if the machine is at least as large as planned',
    ),
  ),
})

export type CheaperDisk = View<typeof CheaperDisk>
const CheaperDisk = object(
  {
    replaces: text('Type and size of the planned disk'),
    type: text('Type of the cheaper disk in the same region, which does the same'),
    count: count('Disks'),
    cost_per_month: amount('US dollars for all of them'),
    savings_per_month: amount('US dollars for all of them'),
    is_less_durable: Type.Boolean(),
  },
  'A disk after the plan that could be cheaper',
)

export type PriceDays = View<typeof PriceDays>
export const PriceDays = object(
  {
    oldest: text('YYYY-MM-DD'),
    newest: text('YYYY-MM-DD'),
    is_old: boolean('Whether some are older than 60 days'),
    is_outdated: boolean('Whether some are older than a year'),
    outdated: Type.Array(text(), {
      description: 'What has a price older than a year, with its region and day, oldest first',
    }),
  },
  'When the prices were read; null if there are none',
)

export type ReviewedChange = View<typeof ReviewedChange>
export const ReviewedChange = object({
  ...ReviewedResource.properties,
  before: orNull(PricedSide),
  after: orNull(PricedSide),
  difference_per_month: amount('US dollars'),
  notes: Type.Array(text(), { description: 'Parts that are not included, and assumptions' }),
  suggestions: Type.Array(Suggestion),
  cheaper_disks: Type.Array(CheaperDisk),
})

const UnknownChange = object({ ...ReviewedResource.properties, may_raise_cost: mayRaiseCost })

const UnpricedChange = object({ ...UnknownChange.properties, reason: text() })

/** The JSON Schema of `cheapside review --format json` and of the result of the MCP tool review_plan. */
export type Review = View<typeof Review>
export const Review = Type.Object(
  {
    version: Type.Literal(reviewVersion),
    hours_per_month: amount('Hours for which a machine runs in a month'),
    plans: Type.Array(text()),
    totals: object({
      before_per_month: amount('US dollars'),
      after_per_month: amount('US dollars'),
      difference_per_month: amount('US dollars'),
      possible_savings_per_month: amount(
        'US dollars that the best suggestion for each machine and cheaper disks would save together',
      ),
    }),
    price_days: orNull(PriceDays),
    changes: Type.Array(ReviewedChange, { description: 'Resources with a price' }),
    unpriced: Type.Array(UnpricedChange, {
      description: 'Known resources without a price; not in any total',
    }),
    unknown: Type.Array(UnknownChange, {
      description: 'Resources of an unknown type; not in any total',
    }),
    free: Type.Array(ReviewedResource, { description: 'Resources that are known to cost nothing' }),
    drifted: count('Resources that were changed outside of Terraform'),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'cheapside review --format json',
    additionalProperties: false,
  },
)

/** Larger plans are left to `cheapside review`, which runs in its own process. */
export const maxReviewedResources = 1_000
const maxSuggestions = 5

/** What a resource of a type costs, for resources that have no price here. */
const StatedPrices = Type.Record(
  Type.String({ maxLength: 128 }),
  Type.Number({ minimum: 0, maximum: 1_000_000 }),
  {
    description:
      'By Terraform\'s resource type: US dollars a month of each resource that has no price otherwise, such as {"aws_nat_gateway": 35.04}',
  },
)

export const ReviewBody = Type.Object({
  plan: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Output of terraform show -json for a plan, or for a state, in which nothing changes',
  }),
  name: optional(string('Name of the plan in the response; default: plan', { minLength: 1, maxLength: 256 })),
  efforts: optional(
    Type.Array(Type.Enum([...efforts]), {
      maxItems: efforts.length,
      description: 'What suggestions may change; default: only the size or type',
    }),
  ),
  suggestions: optional(
    integer('Suggestions for each machine and effort; default: 1', { minimum: 0, maximum: maxSuggestions }),
  ),
  prices: optional(StatedPrices),
  regions: optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 64 }), {
      description: 'By provider: the region of resources for which the plan contains none',
    }),
  ),
})
