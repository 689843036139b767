import Type from 'typebox'
import type { View } from '../../domain/schema.ts'
import {
  maxEntriesPerCall,
  maxEntryNameBytes,
  maxEntryNumber,
  maxRawJsonLength,
  smallestSize,
} from './marketplace-entry.ts'
import { reservedNames } from './provider-name.ts'

const required = (description: string) =>
  Type.String({ minLength: 1, maxLength: maxEntryNameBytes, description })
const text = (description: string) =>
  Type.Optional(Type.String({ maxLength: maxEntryNameBytes, description }))

export type CustomPricingEntry = Required<View<typeof CustomPricingEntrySchema>>
export const CustomPricingEntrySchema = Type.Object({
  cost_per_hour: Type.Number({ minimum: 0, maximum: maxEntryNumber, description: 'US dollars' }),
  cpu_cores: Type.Number({ minimum: smallestSize, maximum: maxEntryNumber }),
  ram_gb: Type.Number({ minimum: smallestSize, maximum: maxEntryNumber, description: 'In GiB' }),
  usage_type: text('Default: ONDEMAND'),
  instance_type: required('Anything but "base"'),
  region: required('In your own words'),
  raw_pricing_data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `Stored and returned unchanged; at most ${maxRawJsonLength} characters of JSON`,
    }),
  ),
  provider: text('Default: the name it is registered under; a different name is stored in the raw data'),
  service: text('Default: the name it is registered under'),
  operating_system: text('Default: Linux'),
  availability_zone: text('Default: the whole region'),
})

export const RegistrationBody = Type.Object({
  name: required(
    `The provider name to register under; not that of a built-in provider, nor ${reservedNames.join(', ')}`,
  ),
  entries: Type.Array(CustomPricingEntrySchema, { minItems: 1, maxItems: maxEntriesPerCall }),
})

export type RegistrationResult = View<typeof RegistrationResult>
export const RegistrationResult = Type.Object({
  Status: Type.Literal('Registered'),
  Entries: Type.Integer({ description: 'Number of entries that were registered' }),
  Warnings: Type.Optional(Type.Array(Type.String())),
})

export type RemovalResult = View<typeof RemovalResult>
export const RemovalResult = Type.Object({ Status: Type.Literal('Removed'), Entries: Type.Integer() })

export type MarketplaceProviders = View<typeof MarketplaceProviders>
export const MarketplaceProviders = Type.Object({
  providers: Type.Array(Type.Object({ provider: Type.String(), service: Type.String() })),
  count: Type.Integer(),
})
