import type { paths } from '../api/schema.ts'

export type InstanceType =
  paths['/catalogue/types']['get']['responses'][200]['content']['application/json'][number]
export type TypeDetails =
  paths['/v1/instance_types/{provider}/{type}']['get']['responses'][200]['content']['application/json']
export type ComparisonBody = paths['/v1/comparisons']['post']['requestBody']['content']['application/json']

/** What the page compares, as stored in the address. */
export interface Comparison {
  /** A type on a price list, or a custom size, priced at base rates. */
  readonly kind: 'type' | 'size'
  readonly provider: string
  readonly type: string
  /** '' selects the region in which the type is cheapest. */
  readonly region: string
  readonly os: string
  readonly paid: string
  readonly vcpus: number
  readonly ramGib: number
  /** If absent, the whole machine is assumed to be used. */
  readonly usedCores: number | undefined
  readonly usedGib: number | undefined
  readonly providers: readonly string[]
  readonly regions: readonly string[]
  readonly architectures: readonly string[]
  /** Shown only if the user asks for them. */
  readonly spot: boolean
  readonly anywhere: boolean
}

const offersPerEffort = 10

export function comparisonOf(params: URLSearchParams): Comparison {
  const number = (name: string): number | undefined => {
    const value = Number.parseFloat(params.get(name) ?? '')
    return Number.isFinite(value) && value >= 0 ? value : undefined
  }
  return {
    kind: params.has('vcpus') || params.has('gib') ? 'size' : 'type',
    provider: params.get('provider') ?? '',
    type: params.get('type') ?? '',
    region: params.get('region') ?? '',
    os: params.get('os') ?? 'Linux',
    paid: params.get('paid') ?? 'ONDEMAND',
    vcpus: number('vcpus') ?? 4,
    ramGib: number('gib') ?? 16,
    usedCores: number('cores'),
    usedGib: number('ram'),
    providers: params.getAll('in-provider'),
    regions: params.getAll('in-region'),
    architectures: params.getAll('in-arch'),
    spot: params.has('spot'),
    anywhere: params.has('anywhere'),
  }
}

/**
 * Returns the region in the address, otherwise the one in which the type is cheapest according to the list of types.
 */
export function regionOf({ region, os, paid }: Comparison, found: TypeDetails | undefined): string {
  if (region !== '' || found === undefined) return region
  const cheapest = found.prices
    .filter((price) => price.operating_system === os && price.usage_type === paid)
    .reduce<TypeDetails['prices'][number] | undefined>(
      (best, price) => (best === undefined || price.cost_per_hour < best.cost_per_hour ? price : best),
      undefined,
    )
  return cheapest?.region ?? found.regions[0] ?? ''
}

export interface Size {
  readonly cores: number
  readonly gib: number
}

/** Returns the size of the compared machine; undefined until its type is loaded. */
export function sizeOf(comparison: Comparison, found: TypeDetails | undefined): Size | undefined {
  if (comparison.kind === 'size') return { cores: comparison.vcpus, gib: comparison.ramGib }
  if (found === undefined) return undefined
  return { cores: found.cpu_cores ?? comparison.vcpus, gib: found.ram_gb ?? comparison.ramGib }
}

/**
 * Returns the request to the service, or undefined while something is missing. If the address contains everything, the
 * request is sent before the size of the type is known.
 */
export function requestOf(comparison: Comparison, known: Size | undefined): ComparisonBody | undefined {
  const { kind, provider, type, region, os, paid, anywhere, usedCores, usedGib } = comparison
  if (kind === 'type' && (provider === '' || type === '' || region === '')) return undefined
  const isMeasured = usedCores !== undefined || usedGib !== undefined
  const isComplete = !isMeasured || (usedCores !== undefined && usedGib !== undefined)
  const size = known ?? (kind === 'type' && isComplete ? anySize : undefined)
  if (size === undefined || !(size.cores > 0 && size.gib > 0)) return undefined
  const used = (measured: number | undefined, whole: number) => Math.min(measured ?? whole, whole)
  return {
    provider: kind === 'size' ? 'base' : provider,
    region: kind === 'size' ? '' : region,
    instance_type: kind === 'size' ? '' : type,
    operating_system: os,
    usage_type: kind === 'size' ? 'ONDEMAND' : paid,
    ...(kind === 'size' ? { vm: { cpu_cores: size.cores, ram_gb: size.gib } } : {}),
    ...(isMeasured
      ? {
          usage: {
            cpu_cores: used(usedCores, size.cores),
            ram_gb: used(usedGib, size.gib),
          },
        }
      : {}),
    predicates: {
      providers: [...comparison.providers],
      regions: [...comparison.regions],
      architectures: [...comparison.architectures],
    },
    offers_per_type: offersPerEffort,
    ...(anywhere ? { anywhere } : {}),
  }
}

const anySize: Size = { cores: Number.POSITIVE_INFINITY, gib: Number.POSITIVE_INFINITY }
