import type { Architecture } from '../../../domain/offer.ts'
import type { KnownType, LastGood } from '../../fetching/importer.ts'
import { isSized } from '../../machine.ts'
import { seriesOf } from './compose.ts'
import type { GcpRates } from './rates.ts'

export type SizedType = KnownType & { readonly vcpus: number; readonly ramGib: number }

/**
 * Yields machine types and the regions that offer them: those where they were, and those where their whole series is new.
 */
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

const customSizes = [
  [2, 8],
  [4, 12],
  [8, 16],
] as const

/** https://cloud.google.com/compute/docs/general-purpose-machines: n4a runs on Axion. */
const architectures: Readonly<Record<string, Architecture>> = { n4a: 'arm64' }
