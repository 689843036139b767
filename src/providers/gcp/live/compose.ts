import type { Architecture } from '../../../domain/offer.ts'
import type { KnownType, LastGood } from '../../fetching/importer.ts'
import { isSized } from '../../machine.ts'
import type { GcpRates } from './rates.ts'
import type { GcpUsage } from './sku.ts'

export interface ComposedPrice {
  readonly pricePerHourUsd: number
  readonly skuIds: readonly string[]
}

/** Returns a text that names the missing rate if there is one. */
export function compose(
  rates: GcpRates,
  type: KnownType & { readonly vcpus: number; readonly ramGib: number },
  region: string,
  usage: GcpUsage,
): ComposedPrice | string {
  const { instanceType } = type
  const whole = rates.find(instanceType, 'machine', usage, region)
  if (whole !== undefined) return { pricePerHourUsd: whole.perHourUsd, skuIds: [whole.skuId] }
  const series = seriesOf(instanceType)
  const parts: Part[] = [
    { of: series, resource: 'core', amount: billedCores(instanceType, type.vcpus) },
    { of: series, resource: 'gib', amount: type.ramGib },
  ]
  if (/^m2-/.test(instanceType)) {
    parts.push({ of: 'm2-premium', resource: 'core', amount: type.vcpus, always: 'ONDEMAND' })
    parts.push({ of: 'm2-premium', resource: 'gib', amount: type.ramGib, always: 'ONDEMAND' })
  }
  if (type.gpuCount !== null && type.gpuCount > 0)
    parts.push({ of: gpuOf(type), resource: 'gpu', amount: type.gpuCount })
  const diskGib = localDiskGib(instanceType, type.gpuCount ?? 0)
  if (Number.isNaN(diskGib)) return 'machine type whose local disk is not known'
  if (diskGib > 0) parts.push({ of: series, resource: 'disk-gib', amount: diskGib, or: '' })
  return sum(rates, parts, region, usage)
}

interface Part {
  readonly of: string
  readonly resource: 'core' | 'gib' | 'gpu' | 'disk-gib'
  readonly amount: number
  /** The rate that is used if the series has no rate of its own. */
  readonly or?: string
  /** The usage whose rate applies even with a commitment, because commitments do not cover this part. */
  readonly always?: GcpUsage
}

function sum(rates: GcpRates, parts: readonly Part[], region: string, usage: GcpUsage) {
  let pricePerHourUsd = 0
  const skuIds: string[] = []
  for (const { of, or, resource, amount, always } of parts) {
    const asked = always !== undefined && usage !== 'SPOT' ? always : usage
    const rate =
      rates.find(of, resource, asked, region) ??
      (or === undefined ? undefined : rates.find(or, resource, asked, region))
    if (rate === undefined) return `no ${resource} rate for its usage in its region`
    pricePerHourUsd += rate.perHourUsd * amount
    skuIds.push(rate.skuId)
  }
  // Rates have nine digits. The sum is rounded to as many, which removes the error of binary fractions.
  return { pricePerHourUsd: Number(pricePerHourUsd.toFixed(9)), skuIds }
}

export function seriesOf(instanceType: string): string {
  if (instanceType === 'm4-ultramem-224') return instanceType
  const series = instanceType.split('-')[0]!
  if (/-custom-/.test(instanceType)) return `${series}-custom`
  return series === 'm2' || /^n1-(mega|ultra)mem-/.test(instanceType) ? 'm1' : series
}

/**
 * Shared-core types are billed for the part of their vCPUs that they sustain:
 * https://cloud.google.com/compute/vm-instance-pricing#e2_sharedcore_machine_types
 */
export function billedCores(instanceType: string, vcpus: number): number {
  return sharedCores.get(instanceType) ?? vcpus
}

const sharedCores = new Map([
  ['e2-micro', 0.25],
  ['e2-small', 0.5],
  ['e2-medium', 1],
])

/** The mega variant of a GPU is identified by the type that has it. */
const gpuOf = ({ instanceType, gpuName }: KnownType): string =>
  /^a3-megagpu-/.test(instanceType) ? 'NVIDIA H100 80GB Mega' : gpuName

/**
 * GiB of local disk in a machine type, which its price includes.
 * Source: https://cloud.google.com/compute/docs/general-purpose-machines, .../compute-optimized-machines,
 * .../storage-optimized-machines, .../accelerator-optimized-machines; the price facts agree with each line.
 */
export function localDiskGib(instanceType: string, gpuCount: number): number {
  const match = /^([a-z]\d[a-z]?)-[a-z]+-(\d+)-(lssd|highlssd|standardlssd)(-metal)?$/.exec(instanceType)
  if (match !== null) {
    const [, series, vcpus, kind] = match
    return disks[series === 'z3' ? `z3-${kind}` : series!]?.[Number(vcpus)] ?? Number.NaN
  }
  if (/^a2-ultragpu-/.test(instanceType)) return 375 * gpuCount
  return /^a3-(high|mega)gpu-/.test(instanceType) ? 750 * gpuCount : 0
}

const disksOf = (gib: number, byVcpus: Record<number, number>): Record<number, number> =>
  Object.fromEntries(Object.entries(byVcpus).map(([vcpus, count]) => [vcpus, count * gib]))

/** GiB of local disk by series and number of vCPUs. */
const disks: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  c3: disksOf(375, { 4: 1, 8: 2, 22: 4, 44: 8, 88: 16, 176: 32 }),
  c3d: disksOf(375, { 8: 1, 16: 1, 30: 2, 60: 4, 90: 8, 180: 16, 360: 32 }),
  c4: disksOf(375, { 4: 1, 8: 1, 16: 2, 24: 4, 32: 5, 48: 8, 96: 16, 144: 24, 192: 32, 288: 48 }),
  c4a: disksOf(375, { 4: 1, 8: 2, 16: 4, 32: 6, 48: 10, 64: 14, 72: 16 }),
  c4d: disksOf(375, { 8: 1, 16: 1, 32: 2, 48: 4, 64: 6, 96: 8, 192: 16, 384: 32 }),
  'z3-highlssd': disksOf(3000, { 8: 1, 16: 2, 22: 3, 32: 4, 44: 6, 88: 12, 192: 24 }),
  'z3-standardlssd': disksOf(3000, { 14: 1, 22: 2, 44: 3, 88: 6, 176: 12 }),
}

export type SizedType = KnownType & { readonly vcpus: number; readonly ramGib: number }

/** Machine types and the regions that offer them: those where they were, and those where their whole series is new. */
export function* offeredTypes(rates: GcpRates, lastGood: LastGood): Generator<[SizedType, string[]]> {
  const seriesRegions = new Map<string, Set<string>>()
  const types = [...lastGood.types.values()]
    .filter((type): type is SizedType => isSized(type) && !/-custom-/.test(type.instanceType))
    .sort((a, b) => (a.instanceType < b.instanceType ? -1 : 1))
  for (const { instanceType } of types) {
    const known = seriesRegions.get(seriesOf(instanceType)) ?? new Set()
    for (const region of lastGood.regionsOf(instanceType)) known.add(region)
    seriesRegions.set(seriesOf(instanceType), known)
  }
  for (const type of types) {
    const series = seriesOf(type.instanceType)
    const newRegions = [...rates.regionsOf(series)].filter(
      (region) => !seriesRegions.get(series)!.has(region),
    )
    yield [type, [...new Set([...lastGood.regionsOf(type.instanceType), ...newRegions])].sort()]
  }
  yield* customTypes(rates)
}

/** Yields three sizes of each series with custom types: enough to derive their core and GiB rates, and to verify them. */
function* customTypes(rates: GcpRates): Generator<[SizedType, string[]]> {
  for (const custom of rates.series.filter((name) => name.endsWith('-custom')).sort()) {
    const series = custom.slice(0, -'-custom'.length)
    for (const [vcpus, ramGib] of customSizes) {
      const type: SizedType = {
        instanceType: `${series}-custom-${vcpus}-${ramGib * 1024}`,
        vcpus,
        ramGib,
        architecture: architectures[series] ?? 'x86_64',
        gpuCount: 0,
        gpuName: '',
      }
      yield [type, [...rates.regionsOf(custom)].sort()]
    }
  }
}

/** https://cloud.google.com/compute/docs/general-purpose-machines: n4a runs on Axion. */
const architectures: Readonly<Record<string, Architecture>> = { n4a: 'arm64' }

const customSizes = [
  [2, 8],
  [4, 12],
  [8, 16],
] as const
