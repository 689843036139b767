import Type from 'typebox'
import { boolean, integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'
import { commitmentKinds } from './commitment.ts'

export const maxCommitments = 1000

const name = (description: string) => optional(string(description, { minLength: 1, maxLength: 100 }))
const amount = (description: string) => optional(number(description, { minimum: 0, maximum: 1e6 }))
const day = (description: string) => string(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

export type CommitmentInput = View<typeof CommitmentInput>
export const CommitmentInput = Type.Object(
  {
    name: string('Such as its id at the provider', { minLength: 1, maxLength: 200 }),
    note: optional(Type.String({ maxLength: 500 })),
    provider: Type.String({ minLength: 1, maxLength: 100 }),
    kind: Type.Enum([...commitmentKinds], {
      description:
        'reserved_instance: instances of a type; savings_plan: US dollars an hour; committed_use: cores and GiB of a machine series',
    }),
    region: name('Default: all regions'),
    availability_zone: name('Of a reservation that applies in one zone only'),
    instance_type: name('Of a reservation'),
    family: name(
      'Of a savings plan for one family, such as m5, or the machine series of committed use, such as n2',
    ),
    operating_system: name(
      'Linux or Windows; default: both, and Linux for reservations that cover other sizes',
    ),
    instances: amount('Number of instances of a reservation'),
    usd_per_hour: amount('US dollars an hour of a savings plan, at the rates of the plan'),
    vcpus: amount('Committed cores'),
    memory_gib: amount('Committed memory'),
    size_flexible: optional(
      boolean('false for a reservation of exactly its size; default: as the provider has it'),
    ),
    percent_off: optional(
      number('What the rates of a savings plan are below on-demand prices; default: by the price list', {
        minimum: 0,
        maximum: 100,
      }),
    ),
    cost_per_hour_usd: amount('What all of it costs an hour, with upfront payments spread over the term'),
    used_elsewhere_percent: optional(
      number('The share that is used by what is not connected here', { minimum: 0, maximum: 100 }),
    ),
    from: day('First day'),
    until: day('Last day'),
  },
  { additionalProperties: false },
)

export const CommitmentsBody = Type.Object({
  commitments: Type.Array(CommitmentInput, { maxItems: maxCommitments }),
})

export type CommitmentsView = View<typeof CommitmentsView>
export const CommitmentsView = Type.Object({
  commitments: Type.Array(CommitmentInput),
  etag: string('Changes with the commitments; for If-Match'),
})

export type CommitmentUseView = View<typeof CommitmentUseView>
const CommitmentUseView = Type.Object({
  name: Type.String(),
  kind: Type.Enum([...commitmentKinds]),
  from: Type.String(),
  until: Type.String(),
  is_active: Type.Boolean(),
  utilisation_percent: nullable(
    number('Used / bought in this hour, without what is used elsewhere; null unless active'),
  ),
  covered_per_hour: number('What the covered usage would cost on demand, US dollars'),
  unused_per_month: nullable(
    number('Dollars of 730 hours that are paid for nothing; null if the cost is not known'),
  ),
})

export type CommittedSaving = View<typeof CommittedSaving>
export const CommittedSaving = Type.Object(
  {
    commitments: Type.Array(Type.String(), { description: 'Names of those that cover what changes' }),
    saves_per_month: number(
      'While the commitments last: what was not covered, and what they then cover of other machines; negative if it costs more',
    ),
    until: string('Last day of the last of the commitments'),
    saves_per_month_after: number('Afterwards, on demand'),
    stranded_per_month: nullable(
      number(
        'What is then paid for nothing: at most, because machines that are not connected here may use it; null if the cost of a commitment is not known',
      ),
    ),
  },
  { description: 'US dollars for 730 hours' },
)

export type CoveredMachines = View<typeof CoveredMachines>
const CoveredMachines = Type.Object({
  provider: Type.String(),
  region: Type.String(),
  instance_type: Type.String(),
  operating_system: Type.String(),
  count: Type.Integer(),
  machines: Type.Array(Type.String(), {
    description: 'Names of at most ten of them; of nodes as cluster/node',
  }),
  cost_per_hour: number('The on-demand price of one of them'),
  covered_percent: Type.Number(),
  commitments: Type.Array(Type.String(), { description: 'Names of those that cover it' }),
  leaving: Type.Object(CommittedSaving.properties, { description: 'If one machine is given up' }),
})

export type CoverageView = View<typeof CoverageView>
export const CoverageView = Type.Object({
  machines: integer('Nodes and machines that reported in the last two hours, run on demand and have a price'),
  on_demand_per_hour: number('What all of them would cost without commitments, US dollars'),
  covered_per_hour: number('What of that commitments cover'),
  coverage_percent: number('Covered / what commitments can cover, without licences'),
  commitments: Type.Array(CommitmentUseView),
  covered: Type.Array(CoveredMachines, { description: 'Dearest first' }),
  note: Type.String(),
})

export const CommitmentsAnswer = Type.Object({
  ...CommitmentsView.properties,
  coverage: optional(CoverageView),
})
