import Type from 'typebox'
import { efforts } from '../../operations/compare/comparison.ts'

/** Larger plans are for `cheapside review`, which has a process of its own. */
export const mostReviewedResources = 1_000
export const mostSuggestions = 5

export const ReviewBody = Type.Object({
  plan: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What terraform show -json prints of a plan, or of a state, in which nothing changes',
  }),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'What the answer calls it; default: plan' }),
  ),
  efforts: Type.Optional(
    Type.Array(Type.Enum([...efforts]), {
      maxItems: efforts.length,
      description: 'What suggestions may change; default: another size or type alone',
    }),
  ),
  suggestions: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: mostSuggestions,
      description: 'For each machine and effort; default 1',
    }),
  ),
  regions: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 64 }), {
      description: 'By provider key: the region of resources whose plan does not name one',
    }),
  ),
})
