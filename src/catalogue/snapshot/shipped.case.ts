import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparabilityOf } from '../../domain/comparability.ts'
import { monthUsd } from '../../domain/money.ts'
import type { Need, Predicates } from '../../domain/need.ts'
import { type Offer, operatingSystems, usageTypes } from '../../domain/offer.ts'
import { providers } from '../../providers/providers.ts'
import { Catalogue } from '../catalogue.ts'
import { catalogueRules } from '../load-catalogue.ts'
import { bruteForce } from '../search/brute-force.case.ts'
import { decodeSnapshot } from './snapshot.ts'

const file = new URL('../../../catalogue/cheapside.catalogue', import.meta.url)
const rules = catalogueRules(providers)
const catalogue = Catalogue.fromSnapshot(decodeSnapshot(readFileSync(file)), rules)
export const shippedOffers = [...catalogue.offers()]

/** Random searches in the shipped catalogue return what the simplest search returns. */
export function searchesOfShippedCatalogue(count: number): void {
  test(`${count} searches in the shipped catalogue equal sorting, filtering and grouping`, () => {
    const search = bruteForce(shippedOffers, catalogue.zones, rules)
    fc.assert(
      fc.property(anyQuestion(), (need) => {
        expect(brief(catalogue.search(need))).toEqual(brief(search(need)))
      }),
      { numRuns: count, endOnFailure: true },
    )
  }, 600_000)
}

/** The need of somebody who runs a machine of the catalogue at some load, and limits what may replace it. */
function anyQuestion(): fc.Arbitrary<Need> {
  const anyOffer = fc.nat(shippedOffers.length - 1).map((i) => shippedOffers[i]!)
  const share = fc.double({ min: 0.05, max: 1, noNaN: true })
  const some = <T>(of: (offer: Offer) => T) => fc.array(anyOffer.map(of), { minLength: 1, maxLength: 40 })
  const predicates: fc.Arbitrary<Predicates> = fc.record(
    {
      availabilityZones: fc.oneof(
        some((o) => o.zone || `${o.region}-a`),
        fc.constant(['1']),
      ),
      instanceTypes: fc.oneof(
        some((o) => o.instanceType.toUpperCase()),
        fc.constant(catalogue.columns.types.slice(500, 3000)),
      ),
      providers: some((o) => o.provider),
      regions: some((o) => o.region.toUpperCase()),
      usageTypes: fc.subarray([...usageTypes]),
    },
    { requiredKeys: [] },
  )
  const asked = fc.record({
    current: anyOffer,
    cpu: share,
    ram: share,
    predicates: fc.oneof(
      fc.constant({}),
      fc.record({ usageTypes: fc.subarray([...usageTypes], { minLength: 1, maxLength: 1 }) }),
      predicates,
    ),
    operatingSystem: fc.constantFrom(...operatingSystems),
    limit: fc.constantFrom(1, 20, 200),
    offersPerType: fc.constantFrom(1, 3, 50),
    isComparable: fc.boolean(),
    isNear: fc.boolean(),
    isFaster: fc.boolean(),
    withoutLocalZones: fc.boolean(),
    termLength: fc.constantFrom(undefined, '1y', '3y'),
  })
  return asked.map(({ current, cpu, ram, isComparable, isNear, isFaster, ...rest }) => ({
    ...rest,
    home: { provider: current.provider, region: current.region },
    comparableTo: isComparable
      ? comparabilityOf(rules.traitsOf!(current.provider, current.instanceType), {
          countsFasterCores: isFaster,
          isAccelerated: current.gpuCount > 0,
        })
      : undefined,
    near: isNear ? { area: rules.areaOf!(current.provider, current.region), places: [] } : undefined,
    vcpus: (current.vcpus ?? 2) * cpu,
    ramGib: (current.ramGib ?? 4) * ram,
    sustainedVcpus: (current.vcpus ?? 2) * cpu * 0.8,
    ...(current.architecture !== '' && { architectures: [current.architecture] }),
    gpu: { count: current.gpuCount, name: current.gpuName.toLowerCase() },
    belowPerHourUsd: current.pricePerHourUsd,
    belowPerMonthUsd: monthUsd(current.pricePerHourUsd, current.monthlyCapUsd),
  }))
}

const brief = (found: ReturnType<Catalogue['search']>) =>
  found.map(({ instanceType, offers }) => [
    instanceType,
    ...offers.map((o) =>
      [
        o.pricePerHourUsd,
        o.provider,
        o.region,
        o.instanceType,
        o.usageType,
        o.term,
        o.zone,
        o.service,
      ].join(),
    ),
  ])
