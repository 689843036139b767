import Type from 'typebox'
import { integer, nullable, number, string, type View } from '../../domain/schema.ts'
import { CommitmentInput } from './schema.ts'

export const maxRecommendationDays = 90

export type CommitmentRecommendationQuery = View<typeof CommitmentRecommendationQuery>
export const CommitmentRecommendationQuery = Type.Object({
  days: integer('Days of history that are replayed', {
    minimum: 1,
    maximum: maxRecommendationDays,
    default: 30,
  }),
  sizes: Type.Enum(['recommended', 'now'], {
    default: 'recommended',
    description:
      'recommended: as if what GET /v1/recommendations lists for machines and nodes in their region had been done, with the planned nodes in place of all nodes of a cluster; now: as they ran',
  }),
})

export type CommitmentPointView = View<typeof CommitmentPointView>
const CommitmentPointView = Type.Object({
  amount_per_hour: number('Committed US dollars an hour'),
  cost_per_hour: number('What an hour costs on average: the commitment, and the rest of the usage on demand'),
  used_percent: number('Used / committed'),
  under_used_hours_percent: number('Hours in which part of it is not used'),
})

export type CommitmentRecommendations = View<typeof CommitmentRecommendations>
export const CommitmentRecommendations = Type.Object({
  start_date: Type.String({ format: 'date-time' }),
  end_date: Type.String({ format: 'date-time' }),
  measured_hours: Type.Integer(),
  covered_per_hour: number('What your commitments cover on average, US dollars'),
  on_demand_per_hour: number('What nothing covers on average, without licences'),
  recommendations: Type.Array(
    Type.Object({
      provider: Type.String(),
      region: nullable(string('Null if it covers all of them')),
      family: nullable(string('Family, or group of sizes; null if it covers all')),
      term: Type.Enum(['1y', '3y']),
      ...CommitmentPointView.properties,
      on_demand_per_hour: number('Average of what it could cover, on demand'),
      saves_per_month: number('US dollars for 730 hours'),
      saves_percent: Type.Number(),
      break_even_percent: number('If less of it is used than this, on demand is cheaper'),
      break_even_months: number('It pays if the usage goes on for at least so many months'),
      commitment: { ...CommitmentInput, description: 'The same, for PUT /v1/commitments once it is bought' },
      curve: Type.Array(CommitmentPointView, {
        description: 'From nothing to a quarter more than any hour uses',
      }),
    }),
    { description: 'Those that save most first' },
  ),
  combinations: Type.Array(
    Type.Object({
      provider: Type.String(),
      term: Type.Enum(['1y', '3y']),
      saves_per_month: number('What all of them save together, US dollars for 730 hours'),
      parts: Type.Array(
        Type.Object({
          region: nullable(Type.String()),
          family: nullable(Type.String()),
          amount_per_hour: number('Committed US dollars an hour'),
          commitment: CommitmentInput,
        }),
      ),
    }),
    {
      description:
        'Commitments that save more together than any of them alone, such as families and everything else',
    },
  ),
  notes: Type.Array(Type.String()),
})
