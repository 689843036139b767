import Type from 'typebox'
import { providerNames } from '../catalogue/schema.ts'
import { nullable, type View } from '../domain/schema.ts'

export type RegionsQuery = View<typeof RegionsQuery>
export const RegionsQuery = Type.Object({
  provider: Type.Optional(Type.String({ maxLength: 256, description: 'By any of its names' })),
  near: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'A region of any provider, a city, or "latitude,longitude"',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
})

export type RegionView = View<typeof RegionView>
export const RegionView = Type.Object({
  ...providerNames,
  region: Type.String(),
  city: nullable(Type.String()),
  country: nullable(Type.String({ description: 'ISO 3166 alpha-2' })),
  continent: nullable(Type.String()),
  partition: nullable(
    Type.String({
      description: 'commercial, gov, china, sovereign; commercial-restricted is not open to all customers',
    }),
  ),
  distance_km: nullable(Type.Integer({ description: 'Distance from `near`' })),
  grams_co2e_per_kwh: nullable(Type.Number({ description: 'Carbon intensity of its grid' })),
})

const list = Type.Array(Type.String())

export type ProviderDescriptor = View<typeof ProviderDescriptor>
export const ProviderDescriptor = Type.Object({
  provider: Type.String({ description: 'Display name' }),
  predicates: Type.Object({
    regions: list,
    usage_types: list,
    availability_zones: list,
    providers: list,
    operating_systems: list,
    services: list,
  }),
})

export const ProvidersView = Type.Record(Type.String(), ProviderDescriptor, {
  description: 'By lower-case provider key',
})

const day = (description: string) => Type.String({ maxLength: 10, description })
export const CostRecountBody = Type.Object({
  start_date: day('First day, such as 2026-11-01, in UTC'),
  end_date: Type.Optional(day('Last day; default: only the first one')),
})
export type CostRecountView = View<typeof CostRecountView>
export const CostRecountView = Type.Object({
  start_date: Type.String(),
  end_date: Type.String({ description: 'The last day that is over, if that is earlier than requested' }),
  days: Type.Integer({
    description: 'Days that were counted again; days that are not over have current prices anyway',
  }),
  nodes: Type.Integer({
    description: 'Prices: of nodes, machines, classes and sizes of volumes, and load balancers',
  }),
})
