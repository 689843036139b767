import Type from 'typebox'
import type { View } from '../../domain/schema.ts'
import { constraintMembers } from './query-schema.ts'

const pattern = (what: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: `${what} to which it applies; * matches any text; default: all`,
    }),
  )

export const SizingRuleView = Type.Object({
  cluster: pattern('Clusters'),
  namespace: pattern('Namespaces'),
  workload: pattern('Workloads, by name or as Kind/name,'),
  container: pattern('Containers'),
  image: pattern('Images without tag and digest, such as */istio/proxyv2,'),
  labels: Type.Optional(
    Type.Record(Type.String({ maxLength: 317 }), Type.String({ minLength: 1, maxLength: 253 }), {
      maxProperties: 10,
      description:
        'Labels of the workload or of its namespace to which it applies, with patterns of values. Only labels of CHEAPSIDE_COST_LABELS are known',
    }),
  ),
  ...constraintMembers,
  profile: Type.Optional(
    Type.String({ maxLength: 64, description: 'Sizing profile, instead of that of the organisation' }),
  ),
  risk: Type.Optional(Type.Number({ description: 'Instead of a profile: the accepted risk, 0 to 1' })),
  qos: Type.Optional(
    Type.Enum(['guaranteed', 'burstable'], {
      description:
        'guaranteed: limits equal requests, which then cover the highest usage and 15% more; burstable: limits stay as they are, and only requests follow usage',
    }),
  ),
  exclude: Type.Optional(
    Type.Boolean({
      description: 'true: sizes stay as they are; false: includes again what an earlier rule excludes',
    }),
  ),
  managed_by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Who sets the size of the container instead of its workload, such as a team or an operator that injects it. It is sized, but in no patch',
    }),
  ),
})

const beforeAndAfter = (description: string) =>
  Type.Object({ before: Type.Number(), after: Type.Number() }, { description })
const sizes = Type.Object({
  cpu_cores: Type.Union([Type.Number(), Type.Null()]),
  cpu_limit_cores: Type.Union([Type.Number(), Type.Null()]),
  memory_gib: Type.Union([Type.Number(), Type.Null()]),
  memory_limit_gib: Type.Union([Type.Number(), Type.Null()]),
})

export type RulesEffect = View<typeof RulesEffect>
export const RulesEffect = Type.Object(
  {
    containers: Type.Integer({ description: 'Containers whose recommended sizes would differ' }),
    cost_per_month: beforeAndAfter(
      'Cost of all containers with their recommended requests, in US dollars a month',
    ),
    cpu_request_cores: beforeAndAfter('Recommended CPU requests of all replicas'),
    memory_request_gib: beforeAndAfter('Recommended memory requests of all replicas'),
    largest: Type.Array(
      Type.Object({
        cluster: Type.String(),
        namespace: Type.String(),
        workload: Type.String(),
        container: Type.String(),
        before: sizes,
        after: sizes,
        cost_per_month: beforeAndAfter('In US dollars'),
      }),
      { description: 'The twenty with the largest difference in cost' },
    ),
  },
  { description: 'With dry_run=true: what the rules would change in what is recommended now' },
)

export const SizingRulesView = Type.Object({
  organisation: Type.String(),
  rules: Type.Array(SizingRuleView),
  etag: Type.String({ description: 'Changes with the rules; for If-Match' }),
  would_change: Type.Optional(RulesEffect),
})

export const SizingRulesBody = (most: number) =>
  Type.Object({ rules: Type.Array(SizingRuleView, { maxItems: most }) })

/** The sizing preference of an organisation, for requests that name none. */
export type SizingView = View<typeof SizingView>
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
