import Type from 'typebox'
import { nodePriceSourceText } from '../../costs/allocation/nodes.ts'
import { usageTypes } from '../../domain/offer.ts'
import { integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'

export const maxPriceRules = 200

const pattern = (description: string) =>
  optional(
    string(`${description}; * matches any text; letter case does not matter; default: all`, {
      minLength: 1,
      maxLength: 100,
    }),
  )
const money = (description: string, minimum: number) =>
  optional(number(description, { minimum, maximum: 10_000 }))
const day = (description: string) =>
  optional(string(`${description}, YYYY-MM-DD, UTC`, { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }))

export type PriceRuleInput = View<typeof PriceRuleInput>
export const PriceRuleInput = Type.Object(
  {
    name: string('Shown with each price that it changes', { minLength: 1, maxLength: 100 }),
    note: optional(string('For people, such as the contract', { maxLength: 500 })),
    provider: pattern('Providers, by key, display name or alias'),
    region: pattern('Regions'),
    family: pattern('Families as the price list names them, such as m7a, n2 or Dsv5'),
    instance_type: pattern('Instance types, such as m7a.* or Standard_D*s_v5'),
    usage_type: optional(
      string(`${usageTypes.join(', ')}, and their usual names; default: all`, { maxLength: 100 }),
    ),
    operating_system: optional(string('Linux or Windows; default: both', { maxLength: 100 })),
    percent_off: optional(
      number('Percent of the price so far that is taken off; a negative number is a surcharge', {
        minimum: -1000,
        maximum: 100,
      }),
    ),
    price_per_hour_usd: money('Replaces the price so far', 0),
    add_per_hour_usd: money(
      'Added to the price so far, such as a fee; a negative number is taken off',
      -10_000,
    ),
    valid_from: day('First day on which it applies'),
    valid_until: day('Last day on which it applies'),
  },
  {
    additionalProperties: false,
    description: 'Exactly one of percent_off, price_per_hour_usd and add_per_hour_usd is required',
  },
)

export const PriceRulesBody = Type.Object({ rules: Type.Array(PriceRuleInput, { maxItems: maxPriceRules }) })

export type PriceRulesView = View<typeof PriceRulesView>
export const PriceRulesView = Type.Object({
  rules: Type.Array(PriceRuleInput),
  etag: string('Changes with the rules; for If-Match'),
})

const PricedBy = Type.Object({
  cost_per_hour: nullable(number('US dollars; null if the size is not known')),
  price_source: string(nodePriceSourceText),
  price_rules: Type.Array(Type.String()),
})

export type ChangedMachines = View<typeof ChangedMachines>
const ChangedMachines = Type.Object({
  machines: Type.Array(Type.String(), {
    description: 'Names of at most ten of them; of nodes as cluster/node',
  }),
  count: Type.Integer(),
  provider: nullable(Type.String()),
  region: nullable(Type.String()),
  instance_type: nullable(Type.String()),
  before: PricedBy,
  after: PricedBy,
  difference_per_month: number('US dollars, of all of them; negative if they cost less'),
})

const Cheapest = nullable(
  Type.Object({
    provider: Type.String(),
    region: Type.String(),
    instance_type: Type.String(),
    usage_type: Type.String(),
    cost_per_hour: Type.Number(),
    cost_per_month: Type.Number(),
    savings_per_month: number('US dollars, of one machine'),
  }),
)

export type ChangedComparison = View<typeof ChangedComparison>
const ChangedComparison = Type.Object({
  provider: Type.String(),
  region: Type.String(),
  instance_type: Type.String(),
  count: Type.Integer(),
  before: Cheapest,
  after: Cheapest,
})

export type PriceRulesPreview = View<typeof PriceRulesPreview>
export const PriceRulesPreview = Type.Object({
  machines: integer('Nodes and machines that are known'),
  changed_machines: Type.Integer(),
  cost_per_month: Type.Object({ before: Type.Number(), after: Type.Number() }),
  changes: Type.Array(ChangedMachines, {
    description: 'The kinds of machine whose price changes, dearest first',
  }),
  comparisons: Type.Array(ChangedComparison, {
    description:
      'Of the twenty kinds of machine that cost most: those whose cheapest replacement, at full use, changes',
  }),
})

/** The rules as set, or with dry_run as they would be. */
export const PriceRulesAnswer = Type.Object({
  ...PriceRulesView.properties,
  preview: optional(PriceRulesPreview),
})
