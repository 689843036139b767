import Type from 'typebox'
import { integer, number, optional, string, type View } from '../../domain/schema.ts'
import {
  maxEntriesPerCall,
  maxEntryNameBytes,
  maxEntryNumber,
  maxRawJsonLength,
  smallestSize,
} from './marketplace-entry.ts'
import { reservedNames } from './provider-name.ts'

const required = (description: string) => string(description, { minLength: 1, maxLength: maxEntryNameBytes })
const text = (description: string) => optional(string(description, { maxLength: maxEntryNameBytes }))

export type CustomPricingEntry = Required<View<typeof CustomPricingEntrySchema>>
export const CustomPricingEntrySchema = Type.Object({
  cost_per_hour: number('US dollars', { minimum: 0, maximum: maxEntryNumber }),
  cpu_cores: Type.Number({ minimum: smallestSize, maximum: maxEntryNumber }),
  ram_gb: number('In GiB', { minimum: smallestSize, maximum: maxEntryNumber }),
  usage_type: text('Default: ONDEMAND'),
  instance_type: required('Anything but "base"'),
  region: required('In your own words'),
  raw_pricing_data: optional(
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
  Entries: integer('Number of entries that were registered'),
  Warnings: optional(Type.Array(Type.String())),
})

export type RemovalResult = View<typeof RemovalResult>
export const RemovalResult = Type.Object({ Status: Type.Literal('Removed'), Entries: Type.Integer() })

export type MarketplaceProviders = View<typeof MarketplaceProviders>
export const MarketplaceProviders = Type.Object({
  providers: Type.Array(Type.Object({ provider: Type.String(), service: Type.String() })),
  count: Type.Integer(),
})
