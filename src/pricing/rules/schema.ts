import Type from 'typebox'
import { usageTypes } from '../../domain/offer.ts'
import type { View } from '../../domain/schema.ts'

export const maxPriceRules = 200

const pattern = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `${description}; * matches any text; letter case does not matter; default: all`,
    }),
  )
const money = (description: string, minimum: number) =>
  Type.Optional(Type.Number({ minimum, maximum: 10_000, description }))
const day = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: `${description}, YYYY-MM-DD, UTC` }),
  )

export type PriceRuleInput = View<typeof PriceRuleInput>
export const PriceRuleInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'Shown with each price that it changes' }),
    note: Type.Optional(Type.String({ maxLength: 500, description: 'For people, such as the contract' })),
    provider: pattern('Providers, by key, display name or alias'),
    region: pattern('Regions'),
    family: pattern('Families as the price list names them, such as m7a, n2 or Dsv5'),
    instance_type: pattern('Instance types, such as m7a.* or Standard_D*s_v5'),
    usage_type: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `${usageTypes.join(', ')}, and their usual names; default: all`,
      }),
    ),
    operating_system: Type.Optional(
      Type.String({ maxLength: 100, description: 'Linux or Windows; default: both' }),
    ),
    percent_off: Type.Optional(
      Type.Number({
        minimum: -1000,
        maximum: 100,
        description: 'Percent of the price so far that is taken off; a negative number is a surcharge',
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
