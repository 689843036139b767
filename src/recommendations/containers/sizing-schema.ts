import Type from 'typebox'
import { constraintMembers } from './query-schema.ts'

const pattern = (what: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: `${what} to which it applies; * matches any text; default: all`,
    }),
  )

const SizingRule = Type.Object({
  cluster: pattern('Clusters'),
  namespace: pattern('Namespaces'),
  ...constraintMembers,
})

export const SizingRulesView = Type.Object({
  organisation: Type.String(),
  rules: Type.Array(SizingRule),
  etag: Type.String({ description: 'Changes with the rules; for If-Match' }),
})

export const SizingRulesBody = (most: number) =>
  Type.Object({ rules: Type.Array(SizingRule, { maxItems: most }) })

export const SizingView = Type.Object({
  organisation: Type.String(),
  profile: Type.Union([Type.String(), Type.Null()], { description: 'Null if a risk is set instead' }),
  risk: Type.Union([Type.Number(), Type.Null()], { description: 'Null if a profile is set instead' }),
  set: Type.Boolean({ description: 'False if nothing was set and the default applies' }),
})

export const SizingBody = (profiles: readonly string[]) =>
  Type.Object({
    profile: Type.Optional(Type.String({ maxLength: 64, description: `One of ${profiles.join(', ')}` })),
    risk: Type.Optional(
      Type.Number({
        description:
          'Instead of a profile: the accepted share of time (CPU) and of days (memory) above the request, 0 to 1',
      }),
    ),
  })
