import Type from 'typebox'
import { nullable, optional, string, type View } from '../../domain/schema.ts'
import { maxEntriesPerCall } from '../own-prices/marketplace-entry.ts'
import { CustomPricingEntrySchema } from '../own-prices/schema.ts'
import { ComputePrice } from './schema.ts'

const filter = optional(string('Only entries with this value', { maxLength: 256 }))
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
  cursor: optional(string('The next_cursor of the previous page', { maxLength: 8192 })),
  ...filters,
})

export type ComputeEntry = View<typeof ComputeEntry>
export const ComputeEntry = Type.Object({
  ...ComputePrice.properties,
  raw_pricing_data: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was registered' }),
})

export const ComputeRegistrationBody = Type.Object({
  entries: Type.Array(CustomPricingEntrySchema, { minItems: 1, maxItems: maxEntriesPerCall }),
})

export type ComputeRegistration = View<typeof ComputeRegistration>
export const ComputeRegistration = Type.Object({
  status: Type.Literal('Registered'),
  entries: Type.Array(ComputeEntry),
  warnings: optional(Type.Array(Type.String())),
})

export const ComputeListView = Type.Object({ providers: Type.Array(ComputeEntry) })

export const ComputeDeletedView = Type.Object({
  status: Type.Literal('Deleted'),
  entries: Type.Array(ComputeEntry),
})

export const ComputeEntryChanges = Type.Partial(CustomPricingEntrySchema)

export const ComputeDataView = Type.Object({ data: Type.Union([Type.Array(ComputeEntry), ComputeEntry]) })

export type ComputePage = View<typeof ComputePage>
export const ComputePage = Type.Object({
  data: Type.Array(ComputeEntry),
  page: Type.Object({
    has_more: Type.Boolean(),
    next_cursor: nullable(Type.String()),
  }),
})

/** Filters for entries, named as the query parameters are. */
export const computeFilters = ['service', 'region', 'instance_type', 'usage_type'] as const
export type ComputeFilter = (typeof computeFilters)[number]

export const ComputeFiltersView = Type.Object({
  kind: Type.Literal('compute'),
  filters: Type.Array(Type.Enum([...computeFilters]), {
    description: 'Query parameters of GET /v1/marketplace/compute',
  }),
})
