import fc from 'fast-check'
import { type Comparability, ordinaryTraits, type TypeTraits } from '../../domain/comparability.ts'
import type { Near, Need } from '../../domain/need.ts'
import {
  architectures,
  type KnownZone,
  type Offer,
  operatingSystems,
  terms,
  usageTypes,
} from '../../domain/offer.ts'
import type { CatalogueRules } from '../rules.ts'

/** Few names, sizes and prices, so that ties, shared names and near misses are common. */
const providers = ['acme', 'Acme', 'bolt', 'cirrus']
const regions = ['east', 'East', 'north-1', 'north-2', 'west']
const zones = ['', '', 'east-a', 'EAST-B', 'n1', '1']
const types = ['m1', 'M1', 'm2', 'c9.large', 'c9.xlarge', 'g4', 'b1', 'b2', '__proto__', 'constructor']
const sizes = [null, 1, 2, 2.5, 4, 8]
const gpuNames = ['', 'T4', 't4', 'H100']

const some = <T>(values: readonly T[]) => fc.constantFrom(...values)
const price = fc.oneof(some([0, 0.1, 0.25, 0.5, 0.5000002, 1]), fc.double({ min: 0, max: 2, noNaN: true }))

const anyFields: fc.Arbitrary<Offer> = fc.record({
  provider: some(providers),
  service: some(['compute', 'other']),
  region: some(regions),
  zone: some(zones),
  instanceType: some(types),
  operatingSystem: some(operatingSystems),
  usageType: some(usageTypes),
  term: some(terms),
  vcpus: some(sizes),
  ramGib: some(sizes),
  architecture: some(architectures),
  gpuCount: some([0, 0, 0, 0.5, 1, 4]),
  gpuName: some(gpuNames),
  pricePerHourUsd: price,
  monthlyCapUsd: some([null, null, 50, 200]),
  burstableBaseline: some([null, null, 0.1, 0.4]),
  family: some(['', 'm', 'c']),
  source: some(['a list', 'another']),
  day: some(['2026-01-01', '2026-02-01']),
  skuIds: some([[], ['SKU1'], ['SKU1', 'SKU1.RATE'], ['SKU2', 'meter', 'x']]),
})

/** Only reserved prices have a term, and those of marketplaces have none either. */
export const anyOffer = anyFields.map(
  (offer): Offer => (offer.usageType === 'RESERVED' ? offer : { ...offer, term: '' }),
)

const limitedTo = <T>(values: readonly T[]) =>
  fc.option(fc.array(some(values), { maxLength: 4 }), { nil: undefined, freq: 2 })

const kinds = [0, 0, 0, 1, 6]
const speeds = [0, 500, 900, 1000, 1099, 1100, 3000]

const anyComparability: fc.Arbitrary<Comparability> = fc.record({
  kinds: some(kinds),
  ignoredKinds: some([0, 0, 2, 4, 6]),
  speed: some(speeds),
  countsFasterCores: fc.boolean(),
  localDiskGib: some([0, 0, 50, 100]),
  localDiskRank: some([0, 0, 2]),
})

const anyNear: fc.Arbitrary<Near> = fc.record({
  area: some(['inland', 'overseas', 'nowhere']),
  places: fc.array(fc.record({ provider: some(providers), region: some(regions) }), { maxLength: 2 }),
})

export const anyNeed: fc.Arbitrary<Need> = fc.record(
  {
    vcpus: some([0, 0.5, 1, 2, 3]),
    ramGib: some([0, 0.5, 1, 2, 3]),
    sustainedVcpus: some([0, 0.3, 0.8, 2]),
    sustainedBurstableVcpus: some([0, 0.3]),
    sustainedSharedVcpus: some([0, 0.3]),
    home: fc.record({ provider: some(providers), region: some(regions) }),
    operatingSystem: some(operatingSystems),
    architectures: fc.array(some(architectures), { maxLength: 2 }),
    gpu: fc.oneof(
      fc.constant({ count: 0, name: '' }),
      fc.record({ count: some([0.5, 1, 2]), name: some([...gpuNames, 'unheard of']) }),
    ),
    belowPerHourUsd: fc.oneof(price, fc.constant(Infinity)),
    belowPerMonthUsd: some([50, 100, 365, Infinity]),
    predicates: fc
      .record({
        availabilityZones: limitedTo([...zones, 'n2', 'nowhere']),
        instanceTypes: limitedTo([...types, 'C9.LARGE', 'nothing']),
        providers: limitedTo([...providers, 'BOLT', 'nobody']),
        regions: limitedTo([...regions, 'WEST', 'nowhere']),
        usageTypes: limitedTo(usageTypes),
      })
      .map((p) => Object.fromEntries(Object.entries(p).filter(([, v]) => v !== undefined))),
    comparableTo: anyComparability,
    near: anyNear,
    withoutLocalZones: fc.boolean(),
    termLength: some(['1y', '3y']),
    limit: some([1, 2, 3, 20]),
    offersPerType: some([1, 2, 3, 50]),
  },
  { requiredKeys: requiredMembers() },
)

export const knownZones: readonly KnownZone[] = [
  { provider: 'acme', region: 'north-1', zone: 'n1' },
  { provider: 'bolt', region: 'north-2', zone: 'N2' },
  { provider: 'nobody', region: 'nowhere', zone: 'z' },
]

/** The rules of random catalogues: types of one name differ between providers, and some regions are near to each other. */
export const anyRules: CatalogueRules = {
  isZoneInRegion,
  isLocalZone: (provider, zone) => provider !== 'bolt' && zone === 'n1',
  areaOf: (provider, region) => {
    if (provider.startsWith('own')) return ''
    if (provider === 'bolt' && region === 'west') return 'bolt west'
    return region.toLowerCase().startsWith('north') ? 'overseas' : 'inland'
  },
  isSoldIn: (provider, instanceType, region) =>
    provider !== 'acme' || region !== 'north-1' || !instanceType.startsWith('c'),
  isReservable: (_, instanceType) => !instanceType.startsWith('m'),
  traitsOf,
}

function traitsOf(provider: string, instanceType: string): TypeTraits {
  const at = [...`${provider === 'cirrus' ? 'other' : ''}${instanceType}`].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973,
    7,
  )
  return {
    ...ordinaryTraits,
    kinds: kinds[at % kinds.length]!,
    isOffered: at % 7 !== 0,
    isShared: at % 5 === 0,
    speed: speeds[at % speeds.length]!,
    localDiskGib: (at % 3) * 50,
    localDiskRank: at % 4,
  }
}

/** One provider has numbered zones, which lie in any region; another names its zones after the region. */
export function isZoneInRegion(provider: string, zone: string, region: string): boolean {
  if (provider === 'bolt') return /^[123]$/.test(zone)
  return provider === 'cirrus' && zone.toLowerCase().startsWith(`${region.toLowerCase()}-`)
}

function requiredMembers() {
  return [
    'vcpus',
    'ramGib',
    'sustainedVcpus',
    'operatingSystem',
    'gpu',
    'belowPerHourUsd',
    'belowPerMonthUsd',
    'predicates',
    'limit',
    'offersPerType',
  ] as const satisfies (keyof Need)[]
}
