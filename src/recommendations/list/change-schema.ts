import Type from 'typebox'
import { decidableStates, maxDecided } from '../../domain/recommendation.ts'
import type { View } from '../../domain/schema.ts'
import { maxPatched, patchFormats } from './export-patches.ts'
import { AdviceView } from './schema.ts'

export const PatchesQuery = Type.Object({
  ids: Type.String({
    minLength: 1,
    maxLength: 10_000,
    description: `Ids of recommendations, separated by commas; at most ${maxPatched}`,
  }),
  format: Type.Enum([...patchFormats], {
    default: 'patch',
    description: 'patch: for kubectl apply --server-side; kustomize: a component',
  }),
})

const decision = {
  state: Type.Enum([...decidableStates]),
  reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Required to dismiss and to snooze' })),
  until: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Only to snooze: end of the snooze, RFC 3339, within 366 days',
    }),
  ),
}

export const DecisionBody = Type.Object(decision)

export const BulkDecisionBody = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: maxDecided }),
  ...decision,
  if_match: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 64 }), {
      maxProperties: maxDecided,
      description:
        'The etag of recommendations by id, as they were read. Those that someone has decided on since then are not changed',
    }),
  ),
})

export type DecidedAdvice = View<typeof DecidedAdvice>
export const DecidedAdvice = Type.Object({
  recommendations: Type.Array(AdviceView, {
    description: 'Recommendations that were changed, sorted by id',
  }),
  unknown: Type.Array(Type.String(), { description: 'Ids without a recommendation' }),
  changed_meanwhile: Type.Array(AdviceView, {
    description: 'Recommendations that were not changed, because their etag is not the one in if_match',
  }),
})
