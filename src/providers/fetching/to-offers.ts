import type { PriceSource, ProviderManifest } from '../../domain/manifest.ts'
import type { KnownZone, Offer } from '../../domain/offer.ts'
import { describeOffers, FilledCounts, offerKey, zonesOfOffers } from '../describe-offers.ts'
import {
  type FilledMachine,
  fillMachines,
  type MachineType,
  normaliseGpuName,
  reasonToLeaveOut,
} from '../machine.ts'
import { sustainedUseCapUsd } from '../sustained-use.ts'
import type { Importer, LastGood } from './importer.ts'
import type { LivePrice, PriceSheet } from './price-sheet.ts'

export interface ImportedOffers {
  readonly offers: Offer[]
  readonly zones: KnownZone[]
  readonly manifest: ProviderManifest
}

/** Each price gets its machine, the first of equal offers is kept, and absurd prices are quarantined. */
export function toOffers(importer: Importer, sheet: PriceSheet, lastGood: LastGood): ImportedOffers {
  const { provider, fill = {} } = importer
  const machines = fillMachines(machineRows(sheet.prices, lastGood), fill)
  const all = new Map<string, Offer>()
  const filled = new FilledCounts('as it was in the last good prices')
  for (const price of sheet.prices) {
    const reason = reasonToLeaveOut(fill, price)
    if (reason !== undefined) {
      sheet.drop(reason, `${price.region} ${price.instanceType} ${price.usageType}`)
      continue
    }
    const machine = machines.get(price.instanceType)!
    const offer = offerOf(importer, price, machine)
    const key = offerKey(offer)
    if (all.has(key)) sheet.drop('repeats an earlier row', key.replaceAll('\n', ' '))
    else {
      all.set(key, offer)
      filled.add(price.instanceType, price.machine, machine)
    }
  }
  for (const offer of lastGood.offers)
    if (sheet.kept.some((isKept) => isKept(offer))) all.getOrInsert(offerKey(offer), offer)
  const { offers, manifest } = describeOffers(
    [...all.values()],
    {
      provider: provider.key,
      rows: sheet.rows,
      currency: importer.currency,
      filled: filled.all,
      dropped: sheet.dropped,
      ...(sheet.exchange === undefined ? {} : { exchange: sheet.exchange }),
    },
    sourcesOf,
  )
  return { offers, zones: zonesOfOffers(provider, offers, [...lastGood.zones, ...sheet.zones]), manifest }
}

/** Yields the machine of each type. The list takes precedence, and what it lacks comes from the last good prices. */
function* machineRows(prices: Iterable<LivePrice>, lastGood: LastGood) {
  const listedTypes = new Set<string>()
  for (const { instanceType, machine } of prices) {
    if (listedTypes.has(instanceType)) continue
    const known = lastGood.type(instanceType)
    if (machine === null && known === undefined) yield { instanceType, ...nothing }
    else if (machine === null) yield known!
    else {
      listedTypes.add(instanceType)
      yield {
        instanceType,
        vcpus: machine.vcpus ?? known?.vcpus ?? null,
        ramGib: machine.ramGib ?? known?.ramGib ?? null,
        architecture: machine.architecture === '' ? (known?.architecture ?? '') : machine.architecture,
        // Lists omit accelerators, and count a part of one as a whole, so what is known about a model takes precedence.
        gpuCount: (known?.gpuName ? known.gpuCount : 0) || machine.gpuCount || (known?.gpuCount ?? null),
        gpuName: known?.gpuName || normaliseGpuName(machine.gpuName), // one model keeps one spelling
      }
    }
  }
  // Sizes are derived from siblings too, even if the list no longer has them.
  for (const [instanceType, known] of lastGood.types) if (!listedTypes.has(instanceType)) yield known
}

const nothing: MachineType = { vcpus: null, ramGib: null, architecture: '', gpuCount: null, gpuName: '' }

function offerOf({ provider }: Importer, price: LivePrice, machine: FilledMachine): Offer {
  const { machine: _, skuIds, ...rest } = price
  return {
    provider: provider.key,
    service: provider.service,
    ...rest,
    monthlyCapUsd: price.monthlyCapUsd ?? sustainedUseCapUsd(provider, price),
    vcpus: machine.vcpus,
    ramGib: machine.ramGib,
    architecture: machine.architecture,
    gpuCount: machine.gpuCount,
    gpuName: machine.gpuName,
    burstableBaseline: provider.burstableBaselineOf(price.instanceType),
    family: price.family ?? provider.familyOf(price.instanceType),
    ...(skuIds === undefined ? {} : { skuIds }),
  }
}

function sourcesOf(offers: readonly Offer[]): PriceSource[] {
  const sources = new Map<string, PriceSource>()
  for (const { source, day } of offers) {
    const key = `${source}\n${day}`
    sources.set(key, { text: source, day, rows: (sources.get(key)?.rows ?? 0) + 1 })
  }
  return [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, source]) => source)
}
