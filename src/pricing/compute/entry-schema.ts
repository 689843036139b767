import Type from 'typebox'
import { maxEntriesPerCall } from '../../market/marketplace/marketplace-entry.ts'
import { computeFilters } from '../../operations/compute/list-compute.ts'
import { CustomPricingEntrySchema } from './marketplace.ts'
import { ComputePriceView } from './pricing.ts'

const filter = Type.Optional(Type.String({ maxLength: 256, description: 'Only entries with this value' }))
const filters = { service: filter, region: filter, instance_type: filter, usage_type: filter }

/** The largest number of entries that an organisation can have. */
const largestOffset = 200_000

export const ComputeListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 500 }),
  offset: Type.Integer({ minimum: 0, maximum: largestOffset, default: 0 }),
  ...filters,
})

export const ComputePageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  cursor: Type.Optional(
    Type.String({ maxLength: 8192, description: 'The next_cursor of the previous page' }),
  ),
  ...filters,
})

export const ComputeEntryView = Type.Object({
  ...ComputePriceView.properties,
  raw_pricing_data: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was registered' }),
})

export const ComputeRegistrationBody = Type.Object({
  entries: Type.Array(CustomPricingEntrySchema, { minItems: 1, maxItems: maxEntriesPerCall }),
})

export const ComputeRegisteredView = Type.Object({
  status: Type.Literal('Registered'),
  entries: Type.Array(ComputeEntryView),
  warnings: Type.Optional(Type.Array(Type.String())),
})

export const ComputeListView = Type.Object({ providers: Type.Array(ComputeEntryView) })

export const ComputeDeletedView = Type.Object({
  status: Type.Literal('Deleted'),
  entries: Type.Array(ComputeEntryView),
})

export const ComputeEntryChanges = Type.Partial(CustomPricingEntrySchema)

export const ComputeDataView = Type.Object({ data: ComputeEntryView })

export const ComputePageView = Type.Object({
  data: Type.Array(ComputeEntryView),
  page: Type.Object({
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
})

export const ComputeFiltersView = Type.Object({
  kind: Type.Literal('compute'),
  filters: Type.Array(Type.Enum([...computeFilters]), {
    description: 'Query parameters of GET /v1/marketplace/compute',
  }),
})
