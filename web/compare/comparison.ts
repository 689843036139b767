import type { paths } from '../api/schema.ts'

export type InstanceType =
  paths['/catalogue/types']['get']['responses'][200]['content']['application/json'][number]
export type RecommendationBody = Extract<
  paths['/recommendations']['post']['requestBody']['content']['application/json'],
  { instance_type: string }
>

/** What the page compares, as the address holds it. */
export interface Comparison {
  /** A type that a price list knows, or a size of one's own, priced at base rates. */
  readonly kind: 'type' | 'size'
  readonly provider: string
  readonly type: string
  readonly region: string
  readonly os: string
  readonly paid: string
  readonly vcpus: number
  readonly ramGib: number
  /** Absent: all of the machine. */
  readonly usedCores: number | undefined
  readonly usedGib: number | undefined
  readonly providers: readonly string[]
  readonly regions: readonly string[]
  readonly architectures: readonly string[]
  readonly usageTypes: readonly string[]
}

/** How much larger than needed the machines are that the plot asks for besides. */
export const largerBy = [2, 4, 8] as const

/** The same question for a machine that holds more: what else the money of today buys. */
export function largerRequest(
  body: RecommendationBody,
  factor: number,
  what: 'cores' | 'memory',
): RecommendationBody {
  const { cpu_cores, ram_gb } = body.usage
  const usage =
    what === 'cores'
      ? { cpu_cores: Math.max(cpu_cores, 0.1) * factor, ram_gb }
      : { cpu_cores, ram_gb: Math.max(ram_gb, 0.1) * factor }
  return { ...body, usage, limit: 40, offers_per_type: 1 }
}

/** Rows enough for a picture of the market, and few enough to arrive at once. */
const answerSize = { limit: 100, offers_per_type: 3 }

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
    usageTypes: params.getAll('in-paid'),
  }
}

export interface Size {
  readonly cores: number
  readonly gib: number
}

/** The size of the machine that is compared; undefined while its type is not known. */
export function sizeOf(comparison: Comparison, found: InstanceType | undefined): Size | undefined {
  if (comparison.kind === 'size') return { cores: comparison.vcpus, gib: comparison.ramGib }
  if (found === undefined) return undefined
  return { cores: found.cpu_cores ?? comparison.vcpus, gib: found.ram_gb ?? comparison.ramGib }
}

/** What the service is asked; undefined while something is missing. */
export function requestOf(comparison: Comparison, size: Size | undefined): RecommendationBody | undefined {
  const { kind, provider, type, region, os, paid } = comparison
  if (size === undefined || !(size.cores > 0 && size.gib > 0)) return undefined
  if (kind === 'type' && (provider === '' || type === '' || region === '')) return undefined
  const used = (preference: number | undefined, whole: number) => Math.min(preference ?? whole, whole)
  return {
    provider: kind === 'size' ? 'base' : provider,
    service: '',
    region: kind === 'size' ? '' : region,
    availability_zone: '',
    instance_type: kind === 'size' ? '' : type,
    operating_system: os,
    usage_type: kind === 'size' ? 'ONDEMAND' : paid,
    vm: { cpu_cores: size.cores, ram_gb: size.gib },
    usage: {
      cpu_cores: used(comparison.usedCores, size.cores),
      ram_gb: used(comparison.usedGib, size.gib),
    },
    predicates: {
      providers: [...comparison.providers],
      regions: [...comparison.regions],
      architectures: [...comparison.architectures],
      usage_types: [...comparison.usageTypes],
    },
    include_metadata: true,
    ...answerSize,
  }
}
