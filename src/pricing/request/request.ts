import {
  isUnpricedUsageType,
  parseArchitecture,
  parseOperatingSystem,
  parseUsageType,
} from '../../domain/names.ts'
import type { Predicates } from '../../domain/need.ts'
import { NotFound } from '../../domain/not-found.ts'
import {
  type Architecture,
  architectures,
  type InstanceSpec,
  operatingSystems,
  usageTypes,
} from '../../domain/offer.ts'
import type { FieldError } from '../../domain/problem.ts'
import type { View } from '../../domain/schema.ts'
import type { PricingDeps } from '../market.ts'
import { knownNames } from '../not-found.ts'
import type { PricingBody, RecommendationBody } from './schema.ts'

export type InstanceDescription = View<typeof PricingBody>

export type Resources = RecommendationRequest['usage']

export type RecommendationRequest = Omit<InstanceDescription, 'vm'> &
  Omit<View<typeof RecommendationBody>, 'availability_zone' | 'service'>

export type DescribedUsage = Pick<RecommendationRequest, 'vm' | 'usage'>

/** Whether more is used than the machine has, so that one of the figures is wrong or the machine is too small. */
export function isBeyondSize({ usage, vm }: DescribedUsage): boolean {
  return usage.cpu_cores > vm.cpu_cores || usage.ram_gb > vm.ram_gb
}

export type RequestPredicates = RecommendationRequest['predicates']

export function parseInstanceSpec(given: InstanceDescription): InstanceSpec | NotFound {
  const operatingSystem = parseOperatingSystem(given.operating_system)
  const usageType = parseUsageType(given.usage_type)
  if (usageType === undefined && isUnpricedUsageType(given.usage_type)) return noSuchPrices(given.usage_type)
  const errors: FieldError[] = []
  if (operatingSystem === undefined) {
    errors.push({ pointer: '/operating_system', message: knownNames(operatingSystems) })
  }
  if (usageType === undefined) errors.push({ pointer: '/usage_type', message: knownNames(usageTypes) })
  if (operatingSystem === undefined || usageType === undefined) {
    return new NotFound('invalid', 'The description of the instance has unknown names.', { errors })
  }
  return {
    provider: given.provider,
    service: given.service ?? '',
    region: given.region,
    zone: given.availability_zone ?? '',
    instanceType: given.instance_type,
    operatingSystem,
    usageType,
  }
}

const noSuchPrices = (usageType: string): NotFound =>
  new NotFound('no-price', `No price list here has prices for the usage type ${usageType}.`)

/** The limits of a caller on candidates. `lifted` are the members that contain "*", which limit nothing at all. */
export interface Limits {
  readonly predicates: Predicates
  readonly architectures: Architecture[] | undefined
  readonly lifted: ReadonlySet<keyof RequestPredicates>
  readonly needsInfiniband?: boolean
  /** The maximum distance from a place; if absent, the area decides. */
  readonly around?: { readonly near: string | undefined; readonly distanceKm: number } | undefined
}

export const interconnects = ['infiniband'] as const

/** The default distance, about a round trip of 15 ms. */
const usualDistanceKm = 1000

export const noLimits: Limits = {
  predicates: {
    availabilityZones: undefined,
    instanceTypes: undefined,
    providers: undefined,
    regions: undefined,
    usageTypes: undefined,
  },
  architectures: undefined,
  lifted: new Set(),
  around: undefined,
}

/** Parses predicates. A provider can be given by any of its names; marketplace providers of that name are included. */
export function parsePredicates(
  given: RequestPredicates,
  findProvider: PricingDeps['findProvider'],
): Limits | NotFound {
  if (isEmpty(given)) return noLimits
  const errors: FieldError[] = []
  function parsed<T>(
    member: string,
    names: readonly string[],
    parse: (name: string) => T | undefined,
    all: readonly string[],
  ): T[] {
    return names.flatMap((name, i) => {
      const value = parse(name)
      if (value !== undefined) return [value]
      errors.push({ pointer: `/predicates/${member}/${i}`, message: knownNames(all) })
      return []
    })
  }
  const named = limiting(given.usage_types)
  const usage = named?.filter((name) => !isUnpricedUsageType(name))
  if (usage?.length === 0) return noSuchPrices(named![0]!)
  const wanted = limiting(given.architectures)
  const links = limiting(given.interconnects)
  const link = (name: string) => interconnects.find((known) => known === name.toLowerCase())
  const needsInfiniband =
    links !== undefined && parsed('interconnects', links, link, interconnects).length > 0
  const usages = usage && parsed('usage_types', usage, parseUsageType, usageTypes)
  const allowed = wanted && parsed('architectures', wanted, parseArchitecture, architectures.slice(1))
  if (errors.length > 0) return new NotFound('invalid', 'The predicates have unknown names.', { errors })

  return {
    lifted: liftedIn(given),
    around:
      given.near === undefined && given.distance_km === undefined
        ? undefined
        : { near: given.near, distanceKm: given.distance_km ?? usualDistanceKm },
    predicates: {
      availabilityZones: limiting(given.availability_zones),
      instanceTypes: limiting(given.instance_types),
      providers: limiting(given.providers)?.flatMap((name) => providerNames(name, findProvider)),
      regions: limiting(given.regions),
      usageTypes: usages,
    },
    architectures: allowed,
    needsInfiniband,
  }
}

function isEmpty(given: RequestPredicates): boolean {
  for (const member in given) {
    const value = given[member as keyof RequestPredicates]
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) return false
  }
  return true
}

function providerNames(name: string, findProvider: PricingDeps['findProvider']): string[] {
  const key = findProvider(name)?.key ?? name
  return key === name ? [name] : [name, key]
}

const everything = '*'

const limiting = (names: readonly string[] | undefined): readonly string[] | undefined =>
  names?.length && !names.includes(everything) ? names : undefined

function liftedIn(given: RequestPredicates): Limits['lifted'] {
  let { lifted } = noLimits
  for (const member in given) {
    const name = member as keyof RequestPredicates
    const names = given[name]
    if (Array.isArray(names) && names.includes(everything)) lifted = new Set([...lifted, name])
  }
  return lifted
}
