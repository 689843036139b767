import Type from 'typebox'
import { billLineClasses, diskUnits } from '../../domain/bill-line.ts'
import { nullable, number, string, type View } from '../../domain/schema.ts'
import { CommitmentInput } from '../commitments/schema.ts'
import { PriceRuleInput } from '../rules/schema.ts'

const usd = (description: string) => number(`${description}, US dollars`)

/** What a bill says about an organisation's prices. */
export type LearnedPrices = View<typeof LearnedPrices>
export const LearnedPrices = Type.Object({
  lines: Type.Integer(),
  from: string('First hour, YYYY-MM-DDTHH, UTC'),
  until: Type.String(),
  classes: Type.Array(
    Type.Object({ class: Type.Enum([...billLineClasses]), lines: Type.Integer(), cost: usd('Cost') }),
  ),
  on_demand: Type.Object({
    now: usd('Machines on demand by your prices now'),
    proposed: usd('The same with the proposed rules'),
    billed: usd('As billed'),
  }),
  disks: Type.Object(
    { billed: usd('As billed'), listed: usd('At list prices') },
    { description: 'Disks of types that have a list price, which rules do not change' },
  ),
  exchange: nullable(
    Type.Object({
      currency: Type.String(),
      usd: number('US dollars for one'),
      day: string('Day of the rate, YYYY-MM-DD'),
    }),
    'The rate at which the bill was converted; null for a bill in US dollars',
  ),
  rules: Type.Array(PriceRuleInput, { description: 'The fewest rules to add that explain the bill' }),
  commitments: Type.Array(CommitmentInput, { description: 'Those that the bill shows' }),
  explained_percent: number('The share of what machines cost that rules and commitments explain'),
  explained_percent_now: number('The share that your prices explain now'),
  differences: Type.Array(
    Type.Object({
      provider: Type.String(),
      region: Type.String(),
      instance_type: string('A type of machine or of disk, or a tier of disks'),
      operating_system: nullable(Type.String()),
      quantity: Type.Number(),
      unit: Type.Enum(['hour', ...diskUnits]),
      billed: usd('Cost'),
      now: nullable(usd('By your prices now; null if it has no listed price')),
      proposed: nullable(usd('With the proposed rules')),
    }),
    { description: 'What is not explained, most first' },
  ),
})
