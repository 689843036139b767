import Type from 'typebox'
import { boolean, integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { constraintMembers } from './query-schema.ts'

const pattern = (what: string) =>
  optional(
    string(`${what} to which it applies; * matches any text; default: all`, { minLength: 1, maxLength: 253 }),
  )

export const SizingRuleView = Type.Object({
  cluster: pattern('Clusters'),
  namespace: pattern('Namespaces'),
  workload: pattern('Workloads, by name or as Kind/name,'),
  container: pattern('Containers'),
  image: pattern('Images without tag and digest, such as */istio/proxyv2,'),
  labels: optional(
    Type.Record(Type.String({ maxLength: 317 }), Type.String({ minLength: 1, maxLength: 253 }), {
      maxProperties: 10,
      description:
        'Labels of the workload or of its namespace to which it applies, with patterns of values. Only labels of CHEAPSIDE_COST_LABELS are known',
    }),
  ),
  ...constraintMembers,
  profile: optional(string('Sizing profile, instead of that of the organisation', { maxLength: 64 })),
  risk: optional(number('Instead of a profile: the accepted risk, 0 to 1')),
  qos: optional(
    Type.Enum(['guaranteed', 'burstable'], {
      description:
        'guaranteed: limits equal requests, which then cover the highest usage and 15% more; burstable: limits stay as they are, and only requests follow usage',
    }),
  ),
  exclude: optional(
    boolean('true: sizes stay as they are; false: includes again what an earlier rule excludes'),
  ),
  managed_by: optional(
    string(
      'Who sets the size of the container instead of its workload, such as a team or an operator that injects it. It is sized, but in no patch',
      { minLength: 1, maxLength: 100 },
    ),
  ),
})

const beforeAndAfter = (description: string) =>
  Type.Object({ before: Type.Number(), after: Type.Number() }, { description })
const sizes = Type.Object({
  cpu_cores: nullable(Type.Number()),
  cpu_limit_cores: nullable(Type.Number()),
  memory_gib: nullable(Type.Number()),
  memory_limit_gib: nullable(Type.Number()),
})

export type RulesEffect = View<typeof RulesEffect>
export const RulesEffect = Type.Object(
  {
    containers: integer('Containers whose recommended sizes would differ'),
    unmatched_rules: Type.Array(Type.Integer(), {
      description: 'Positions of the rules, from 1, that apply to no container',
    }),
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
  etag: string('Changes with the rules; for If-Match'),
  would_change: optional(RulesEffect),
})

export const SizingRulesBody = (most: number) =>
  Type.Object({ rules: Type.Array(SizingRuleView, { maxItems: most }) })

/** The sizing preference of an organisation, for requests that name none. */
export type SizingView = View<typeof SizingView>
export const SizingView = Type.Object({
  organisation: Type.String(),
  profile: nullable(Type.String(), 'Null if a risk is set instead'),
  risk: nullable(Type.Number(), 'Null if a profile is set instead'),
  set: boolean('False if nothing was set and the default applies'),
})

export const SizingBody = (profiles: readonly string[]) =>
  Type.Object({
    profile: optional(string(`One of ${profiles.join(', ')}`, { maxLength: 64 })),
    risk: optional(
      number(
        'Instead of a profile: the accepted share of time (CPU) and of days (memory) above the request, 0 to 1',
      ),
    ),
  })
