import Type from 'typebox'
import { boolean, integer, number, optional, string } from '../../domain/schema.ts'

const time = (which: string) =>
  string(`${which} of the period, RFC 3339. An hour belongs to the period in which it begins.`, {
    maxLength: 64,
  })

const maxPageSize = 1000
const largestContainerPage = 10_000
const window = { start_date: time('Start'), end_date: time('End') }
/** Members with which a caller says how much risk to take. */
export const preferenceMembers = (names: readonly string[]) => ({
  profile: optional(
    string(
      `How much risk to take: ${names.join(', ')}. Default: the profile of the organisation, otherwise ${names[0]}`,
      { maxLength: 64 },
    ),
  ),
  risk: optional(
    number(
      'Instead of a profile: the accepted share of time (CPU) and of days (memory) above the request, over all containers, such as 0.01',
      { minimum: 0, maximum: 1 },
    ),
  ),
  shortfall: optional(
    number(
      'The accepted share of all CPU usage above the requests, such as 0.01: it limits how far usage is above, as risk limits how often. Default: as strict as the risk or the profile',
      { minimum: 0, maximum: 1 },
    ),
  ),
})

const basis = optional(
  Type.Enum(['decision', 'window'], {
    description:
      'Where sizes come from: the daily decision in force at the end of the period (default), or usage in the period alone, which is computed for this request and not stored',
  }),
)

const size = (description: string) =>
  optional(number(description, { exclusiveMinimum: 0, maximum: 1_000_000 }))

/** Constraints on sizes that both a query and a sizing rule can set. */
export const constraintMembers = {
  limits: optional(
    Type.Enum(['none', 'ratio', 'quantile'], {
      description:
        'CPU limits: none; ratio, which keeps the current ratio of limit to request (default); or quantile, at p99.9 of usage. They are not lowered below 0.1 cores unless they equal the request. Memory limits keep their ratio',
    }),
  ),
  min_cpu: size('Minimum CPU request, in cores'),
  max_cpu: size('Maximum CPU request, in cores'),
  min_memory: size('Minimum memory request, in GiB'),
  max_memory: size('Maximum memory request, in GiB'),
  cpu_memory_ratio: optional(
    string(
      'GiB of memory for each core, such as 4, or a range such as 1-6.5; the smaller of the two requests is raised to match',
      { maxLength: 32 },
    ),
  ),
}

const queryExample = {
  examples: ['?start_date=2026-11-01T00:00:00Z&end_date=2026-11-15T00:00:00Z'],
}

export const NamespacesQuery = (profiles: readonly string[]) =>
  Type.Object(
    {
      cluster: optional(string('Only this cluster', { maxLength: 1024 })),
      namespace: optional(string('Only this namespace', { maxLength: 1024 })),
      ...window,
      ...preferenceMembers(profiles),
      ...constraintMembers,
      basis,
      explain: boolean(
        'Add to each container the distribution of its usage and the result of each estimator',
        { default: false },
      ),
      limit: optional(integer('Namespaces per page; default: all', { minimum: 1, maximum: maxPageSize })),
      container_limit: optional(
        integer(
          'Containers per page, from one or more namespaces; default: all. A namespace that does not fit continues on the next page; its totals on each page are those of the whole namespace',
          { minimum: 1, maximum: largestContainerPage },
        ),
      ),
      cursor: optional(string('From the Link header', { maxLength: 8192 })),
    },
    queryExample,
  )

export const ManifestsQuery = (profiles: readonly string[], formats: readonly string[]) =>
  Type.Object(
    {
      ...window,
      ...preferenceMembers(profiles),
      ...constraintMembers,
      basis,
      format: Type.Enum(formats as [string, ...string[]], {
        description: 'Default: patch',
        default: 'patch',
      }),
    },
    queryExample,
  )
