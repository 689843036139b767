import Type from 'typebox'
import { providerNames } from '../catalogue/schema.ts'
import { boolean, integer, nullable, number, optional, string, type View } from '../domain/schema.ts'

export type RegionsQuery = View<typeof RegionsQuery>
export const RegionsQuery = Type.Object({
  provider: optional(string('By any of its names', { maxLength: 256 })),
  near: optional(string('A region of any provider, a city, or "latitude,longitude"', { maxLength: 256 })),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
})

export type RegionView = View<typeof RegionView>
export const RegionView = Type.Object({
  ...providerNames,
  region: Type.String(),
  city: nullable(Type.String()),
  country: nullable(string('ISO 3166 alpha-2')),
  continent: nullable(Type.String()),
  partition: nullable(
    string('commercial, gov, china, sovereign; commercial-restricted is not open to all customers'),
  ),
  distance_km: nullable(integer('Distance from `near`')),
  grams_co2e_per_kwh: nullable(number('Carbon intensity of its grid')),
})

const list = Type.Array(Type.String())

export type ProviderDescriptor = View<typeof ProviderDescriptor>
export const ProviderDescriptor = Type.Object({
  provider: string('Display name'),
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

const day = (description: string) => string(description, { maxLength: 10 })
export const CostRecountBody = Type.Object({
  start_date: day('First day, such as 2026-11-01, in UTC'),
  end_date: optional(day('Last day; default: only the first one')),
})
export type CostRecountView = View<typeof CostRecountView>
export const CostRecountView = Type.Object({
  start_date: Type.String(),
  end_date: string('The last day that is over, if that is earlier than requested'),
  days: integer('Days that were counted again; days that are not over have current prices anyway'),
  nodes: integer('Prices: of nodes, machines, classes and sizes of volumes, and load balancers'),
})

const usDollars = (description: string) => number(description, { minimum: 0, maximum: 1e12 })
const reviewed = Type.Record(Type.String(), Type.Unknown(), { description: 'As POST /v1/reviews answers' })
export type SavedReviewBody = View<typeof SavedReviewBody>
export const SavedReviewBody = Type.Object({
  name: string('What was reviewed, such as infrastructure#42', { minLength: 1, maxLength: 256 }),
  before_per_month: usDollars('US dollars'),
  after_per_month: usDollars('US dollars'),
  unpriced: integer('Resources without a price, which are in neither amount', {
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
  }),
  review: optional(reviewed),
})
export type SavedReview = View<typeof SavedReview>
export const SavedReview = Type.Object({
  id: Type.String(),
  at: Type.String({ format: 'date-time' }),
  by: string('Name of the key that saved it'),
  name: Type.String(),
  before_per_month: number('US dollars'),
  after_per_month: number('US dollars'),
  difference_per_month: number('US dollars'),
  unpriced: integer('Resources without a price'),
  has_resources: boolean('Whether its resources were saved and are still kept'),
})
export type SavedReviewDetail = View<typeof SavedReviewDetail>
export const SavedReviewDetail = Type.Object({ ...SavedReview.properties, review: nullable(reviewed) })
