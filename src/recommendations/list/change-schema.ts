import Type from 'typebox'
import { decidableStates, maxDecided } from '../../domain/recommendation.ts'
import { optional, string, type View } from '../../domain/schema.ts'
import { maxPatched, patchFormats } from './export-patches.ts'
import { RecommendationView } from './schema.ts'

export const PatchesQuery = Type.Object({
  ids: string(`Ids of recommendations, separated by commas; at most ${maxPatched}`, {
    minLength: 1,
    maxLength: 10_000,
  }),
  format: Type.Enum([...patchFormats], {
    default: 'patch',
    description: 'patch: for kubectl apply --server-side; kustomize: a component',
  }),
})

const decision = {
  state: Type.Enum([...decidableStates]),
  reason: optional(string('Required to dismiss and to snooze', { maxLength: 1000 })),
  until: optional(string('Only to snooze: end of the snooze, RFC 3339, within 366 days', { maxLength: 64 })),
}

export const DecisionBody = Type.Object(decision)

export const BulkDecisionBody = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: maxDecided }),
  ...decision,
  if_match: optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 64 }), {
      maxProperties: maxDecided,
      description:
        'The etag of recommendations by id, as they were read. Those that someone has decided on since then are not changed',
    }),
  ),
})

export type DecidedRecommendation = View<typeof DecidedRecommendation>
export const DecidedRecommendation = Type.Object({
  recommendations: Type.Array(RecommendationView, {
    description: 'Recommendations that were changed, sorted by id',
  }),
  unknown: Type.Array(Type.String(), { description: 'Ids without a recommendation' }),
  changed_meanwhile: Type.Array(RecommendationView, {
    description: 'Recommendations that were not changed, because their etag is not the one in if_match',
  }),
})
