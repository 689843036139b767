import { expect, test } from 'vitest'
import { shippedFacts } from '../../src/catalogue/shipped-facts.ts'
import { strictKinds } from '../../src/domain/comparability.ts'
import { monthUsd } from '../../src/domain/money.ts'
import { orProblem } from '../../src/domain/not-found.ts'
import type { Offer } from '../../src/domain/offer.ts'
import { recommendOffers } from '../../src/pricing/recommend-offers.ts'
import type { RecommendationRequest } from '../../src/pricing/request/request.ts'
import { providerKeyOf, shippedPricing } from './pricing-fixture.ts'

// Checks every condition for a comparable candidate on all candidates of a thousand random machines. The checks are
// independent of
// the search: they use the facts of each offer directly.

const machineCount = 1000
const { deps, loaded } = await shippedPricing()
const { catalogue } = loaded
const { machines, places } = shippedFacts()

type Property = (
  current: Offer,
  candidate: Offer,
  needed: { cores: number; gib: number; used: number },
) => boolean

const kindsOf = ({ provider, instanceType, gpuCount }: Offer): string =>
  machines
    .kinds(provider, instanceType)
    .filter((kind) => (strictKinds as readonly string[]).includes(kind))
    // Between the same accelerators, these are marked.
    .filter((kind) => gpuCount === 0 || (kind !== 'hpc-infiniband' && kind !== 'isolated'))
    .sort()
    .join()
const isShared = ({ provider, instanceType, burstableBaseline }: Offer): boolean =>
  burstableBaseline === null && machines.vcpuKind(provider, instanceType) === 'shared'
const speedOf = ({ provider, instanceType }: Offer): number =>
  machines.speed(provider, instanceType)?.perVcpu ?? 0
const diskOf = ({ provider, instanceType }: Offer) => machines.disk(provider, instanceType)

/** Effective cores. A difference in speed under a tenth is ignored, and faster cores count as equal. */
function countingCores(current: Offer, candidate: Offer): number {
  const [mine, theirs] = [speedOf(current), speedOf(candidate)]
  if (mine === 0 || theirs === 0 || theirs > 0.9 * mine) return candidate.vcpus!
  return (candidate.vcpus! * theirs) / mine
}

const properties: Record<string, Property> = {
  'costs less': (current, candidate) => candidate.pricePerHourUsd < current.pricePerHourUsd,
  'same payment': (current, candidate) => candidate.usageType === current.usageType,
  'same operating system': (current, candidate) => candidate.operatingSystem === current.operatingSystem,
  'same architecture': (current, candidate) =>
    [candidate.architecture, ''].includes(current.architecture) || candidate.architecture === '',
  'same continent': (current, candidate) =>
    places.find(candidate.provider, candidate.region)!.continent ===
    places.find(current.provider, current.region)!.continent,
  'same partition, open to everyone': (current, candidate) =>
    (candidate.provider === current.provider && candidate.region === current.region) ||
    places.find(candidate.provider, candidate.region)!.partition ===
      places.find(current.provider, current.region)!.partition.replace('-restricted', ''),
  'no local zone': (_, { zone }) => !/^[a-z0-9]+-[a-z]+\d+-az\d$/.test(zone),
  'same accelerator and as many': (current, candidate) =>
    current.gpuCount === 0
      ? candidate.gpuCount === 0
      : candidate.gpuName === current.gpuName &&
        candidate.gpuName !== '' &&
        candidate.gpuCount >= current.gpuCount,
  'same kind of accelerator': (current, candidate) =>
    current.gpuCount === 0 ||
    machines.acceleratorKind(candidate.gpuName) === machines.acceleratorKind(current.gpuName),
  'same special kind': (current, candidate) => kindsOf(current) === kindsOf(candidate),
  'no saving of nothing': (current, candidate) => {
    const [now, then] = [current, candidate].map((of) => monthUsd(of.pricePerHourUsd, of.monthlyCapUsd)) as [
      number,
      number,
    ]
    return now - then >= Math.min(0.005 * now, 10) - 1e-6
  },
  'sold in its region': (_, { provider, instanceType, region }) =>
    deps.findProvider(provider)?.isSoldIn?.(instanceType, region) ?? true,
  documented: (_, { provider, instanceType }) => !machines.kinds(provider, instanceType).includes('custom'),
  'no end date': (_, { provider, instanceType }) =>
    ['current', 'previous'].includes(machines.generation(provider, instanceType).generation),
  'storage kept': (current, candidate) =>
    !kindsOf(current).includes('storage-optimised') ||
    (diskOf(candidate)?.gib ?? 0) >= Math.floor((diskOf(current)?.gib ?? 0) / 2),
  'cores x speed enough': (current, candidate, { cores }) =>
    countingCores(current, candidate) >= cores * (1 - 1e-9),
  'memory enough': (_, { ramGib }, { gib }) => ramGib! >= gib,
  'burstable sustains the usage, or as much as the current machine': (current, candidate, { used }) =>
    candidate.burstableBaseline === null ||
    countingCores(current, candidate) * candidate.burstableBaseline >=
      Math.min(used, current.vcpus! * (current.burstableBaseline ?? Number.POSITIVE_INFINITY)) * (1 - 1e-9),
  'shared vCPUs sustain the usage, or as much as the current machine': (current, candidate, { used }) =>
    !isShared(candidate) ||
    countingCores(current, candidate) / 2 >=
      Math.min(used, isShared(current) ? current.vcpus! / 2 : Number.POSITIVE_INFINITY) * (1 - 1e-9),
}

test(`every candidate of ${machineCount} random machines is comparable with its machine`, async () => {
  const random = seeded(14)
  const broken = new Map<string, string[]>()
  let [asked, answered, candidates] = [0, 0, 0]
  while (asked < machineCount) {
    const current = catalogue.offer(Math.floor(random() * catalogue.offerCount))
    if (current.vcpus === null || current.ramGib === null) continue
    const share = 0.2 + 0.8 * random()
    const request = requestFor(current, share)
    asked++
    const [base, ...groups] = orProblem(await recommendOffers(deps, 'nobody', request))
    const found = groups.flatMap(([, items]) => items.map(({ instance_pricing: price }) => offerOf(price)))
    if (found.length > 0) answered++
    const now = offerOf(base![1][0]!.instance_pricing)
    const used = current.vcpus * share
    const needed = {
      used,
      cores: Math.min(used / 0.8, current.vcpus),
      gib: Math.min((current.ramGib * share) / 0.8, current.ramGib) * (1 - 1e-9),
    }
    for (const candidate of found) {
      candidates++
      for (const [name, holds] of Object.entries(properties))
        if (!holds(now, candidate, needed))
          broken.set(name, [...(broken.get(name) ?? []), `${textOf(now)} -> ${textOf(candidate)}`])
    }
  }
  expect(Object.fromEntries([...broken].map(([name, pairs]) => [name, pairs.slice(0, 5)]))).toEqual({})
  // The sample is not empty.
  expect(answered).toBeGreaterThan(machineCount / 2)
  expect(candidates).toBeGreaterThan(10 * machineCount)
}, 300_000)

type Priced = {
  provider: string
  region: string
  instance_type: string
  operating_system: string
  usage_type: string
  availability_zone: string
  cost_per_hour: number
}

/** The offer that a price of the answer belongs to. */
function offerOf(price: Priced): Offer {
  const found = catalogue.offersOf({
    provider: providerKeyOf(deps, price.provider),
    region: price.region,
    instanceType: price.instance_type,
    operatingSystem: price.operating_system as Offer['operatingSystem'],
    usageType: price.usage_type as Offer['usageType'],
  })
  const same = found.find(
    ({ zone, pricePerHourUsd }) =>
      zone === price.availability_zone && Math.abs(pricePerHourUsd - price.cost_per_hour) < 1e-6,
  )
  return catalogue.offer(same!.position!)
}

function requestFor(current: Offer, share: number): RecommendationRequest {
  const vm = { cpu_cores: current.vcpus!, ram_gb: current.ramGib! }
  return {
    provider: current.provider,
    region: current.region,
    instance_type: current.instanceType,
    operating_system: current.operatingSystem,
    usage_type: current.usageType,
    availability_zone: current.zone,
    service: '',
    vm,
    usage: { cpu_cores: vm.cpu_cores * share, ram_gb: vm.ram_gb * share },
    predicates: {},
    limit: 50,
  }
}

const textOf = ({ provider, region, zone, instanceType, usageType, pricePerHourUsd }: Offer): string =>
  [provider, region, zone, instanceType, usageType, pricePerHourUsd].filter((part) => part !== '').join(' ')

/** A pseudo-random generator with the same numbers on every machine. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
