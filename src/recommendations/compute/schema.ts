import Type from 'typebox'
import { nullable, string, type View } from '../../domain/schema.ts'
import { CheapestByProviderView } from '../../pricing/compute/schema.ts'
import { priceSource } from '../machines/schema.ts'

const orNull = (description: string) => nullable(Type.Number(), description)

export type NodeRecommendation = View<typeof NodeRecommendation>
export const NodeRecommendation = Type.Object({
  cluster: Type.String(),
  node: Type.String(),
  creationTime: string('When this was computed'),
  usage: nullable(
    Type.Object({ cpu_cores: Type.Number(), ram_gb: Type.Number() }),
    'Highest requests or usage of its pods in an hour of the last 7 days; null if not known, and then the offers are as large as the node',
  ),
  recommendations: CheapestByProviderView,
  notes: Type.Array(Type.String(), {
    description: 'A caveat if offers of other providers or regions are among them; otherwise empty',
  }),
})

/** What an observed machine reports about itself, and what it costs. */
export type VmMetadata = View<typeof VmMetadata>
export const VmMetadata = Type.Object({
  name: Type.String(),
  hostname: Type.String(),
  provider: string('Blank if not known, like the members below'),
  region: Type.String(),
  availabilityZone: Type.String(),
  instanceType: Type.String(),
  architecture: Type.String(),
  operatingSystem: Type.String(),
  cpucores: orNull('null if not known'),
  ramgiB: orNull('null if not known'),
  costPerHour: orNull('US dollars; at base rates if no price list has the machine'),
  costPerMonth: orNull('US dollars for 730 hours, at most the monthly cap of the provider'),
  priceSource,
  creationTime: string('When it was first seen'),
})
