import Type from 'typebox'

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const PricedMachineView = Type.Object({
  provider: Type.String(),
  region: Type.String(),
  availability_zone: Type.String(),
  instance_type: Type.String(),
  operating_system: Type.String(),
  usage_type: Type.String(),
  count: Type.Number(),
  cost_per_hour: Type.Number({ description: 'Of one machine' }),
  cost_per_month: Type.Number({ description: 'Of all' }),
})

/** What a review of a Terraform plan answers. */
export const ReviewView = Type.Object({
  changes: Type.Array(
    Type.Object({
      address: Type.String(),
      action: Type.String(),
      before: nullable(PricedMachineView),
      after: nullable(PricedMachineView),
      difference_per_month: Type.Number(),
      suggestions: Type.Array(
        Type.Object({
          provider: Type.String(),
          region: Type.String(),
          instance_type: Type.String(),
          cost_per_month: Type.Number(),
          savings_per_month: Type.Number(),
        }),
      ),
    }),
  ),
  unpriced: Type.Array(Type.Object({ address: Type.String(), action: Type.String(), reason: Type.String() })),
  totals: Type.Object({
    before_per_month: Type.Number(),
    after_per_month: Type.Number(),
    difference_per_month: Type.Number(),
  }),
  other_resources: Type.Number(),
})
