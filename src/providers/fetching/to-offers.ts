import type { FilledFact, PriceSource, ProviderManifest } from '../../domain/manifest.ts'
import type { KnownZone, Offer } from '../../domain/offer.ts'
import {
  type FilledMachine,
  fillMachines,
  isSized,
  type MachineType,
  normaliseGpuName,
  reasonToLeaveOut,
} from '../machine.ts'
import { quarantine } from '../quarantine.ts'
import { sustainedUseCapUsd } from '../sustained-use.ts'
import type { Importer, LastGood } from './importer.ts'
import type { LivePrice, PriceSheet } from './price-sheet.ts'

export interface ImportedOffers {
  readonly offers: Offer[]
  readonly zones: KnownZone[]
  readonly manifest: ProviderManifest
}

/**
 * Turns a sheet into offers: each gets its machine, the first of equal offers is kept, and absurd prices are quarantined.
 */
export function toOffers(importer: Importer, sheet: PriceSheet, lastGood: LastGood): ImportedOffers {
  const { provider } = importer
  const kept = sheet.kept.length === 0 ? [] : lastGood.offers.filter((o) => sheet.kept.some((h) => h(o)))
  const machines = fillMachines(machineRows(sheet.prices, lastGood), importer.fill)
  const offers = new Map<string, Offer>()
  const filled = new Filled()
  for (const price of sheet.prices) {
    const reason = reasonToLeaveOut(importer.fill, price)
    if (reason !== undefined) {
      sheet.drop(reason, `${price.region} ${price.instanceType} ${price.usageType}`)
      continue
    }
    const machine = machines.get(price.instanceType)!
    const offer = offerOf(importer, price, machine)
    const key = offerKey(offer)
    if (offers.has(key)) sheet.drop('repeats an earlier row', key.replaceAll('\n', ' '))
    else {
      offers.set(key, offer)
      filled.count(price, machine)
    }
  }
  for (const offer of kept) if (!offers.has(offerKey(offer))) offers.set(offerKey(offer), offer)
  const checked = quarantine([...offers.values()])
  const unsized = checked.kept.filter((offer) => !isSized(offer))
  return {
    offers: checked.kept,
    zones: zonesOf(importer, checked.kept, sheet, lastGood),
    manifest: {
      provider: provider.key,
      rows: sheet.rows,
      offers: checked.kept.length,
      types: new Set(checked.kept.map((offer) => offer.instanceType)).size,
      regions: new Set(checked.kept.map((offer) => offer.region)).size,
      currency: importer.currency,
      sources: sourcesOf(checked.kept),
      filled: filled.facts,
      unknownSizes: {
        offers: unsized.length,
        types: [...new Set(unsized.map((offer) => offer.instanceType))].sort(),
      },
      quarantined: checked.quarantined,
      dropped: sheet.dropped,
      ...(sheet.exchange === undefined ? {} : { exchange: sheet.exchange }),
    },
  }
}

/** Returns a key of everything that distinguishes one price of a provider from another. */
export const offerKey = (o: Omit<Offer, 'pricePerHourUsd'>): string =>
  `${o.instanceType}\n${o.operatingSystem}\n${o.usageType}\n${o.term}\n${o.region}\n${o.zone}`

/** Yields the machine of each type. The list takes precedence, and what it lacks comes from the last good prices. */
function* machineRows(
  prices: Iterable<LivePrice>,
  lastGood: LastGood,
): Generator<MachineType & { instanceType: string }> {
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

function zonesOf(
  { provider }: Importer,
  offers: readonly Offer[],
  sheet: PriceSheet,
  lastGood: LastGood,
): KnownZone[] {
  const regions = new Set(offers.map((offer) => offer.region))
  const found = new Map<string, KnownZone>()
  const add = (region: string, zone: string) => {
    if (zone !== '' && regions.has(region))
      found.set(`${region}\n${zone}`, { provider: provider.key, region, zone })
  }
  for (const { region, zone } of lastGood.zones) add(region, zone)
  for (const { region, zone } of sheet.zones) add(region, zone)
  for (const { region, zone } of offers) add(region, zone)
  for (const region of regions) for (const zone of provider.zonesOfEveryRegion ?? []) add(region, zone)
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, zone]) => zone)
}

function sourcesOf(offers: readonly Offer[]): PriceSource[] {
  const sources = new Map<string, PriceSource>()
  for (const { source, day } of offers) {
    const key = `${source}\n${day}`
    sources.set(key, { text: source, day, rows: (sources.get(key)?.rows ?? 0) + 1 })
  }
  return [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, source]) => source)
}

/** Counts the facts that did not come from the list. */
class Filled {
  readonly #seen = new Map<string, { types: Set<string>; offers: number }>()

  count({ instanceType, machine: listed }: LivePrice, machine: FilledMachine): void {
    const rules = { ...machine.rules }
    if ((listed === null || !isSized(listed)) && isSized(machine))
      rules.size ??= 'as it was in the last good prices'
    if ((listed?.architecture ?? '') === '' && machine.architecture !== '')
      rules.architecture ??= 'as it was in the last good prices'
    for (const [what, rule] of Object.entries(rules)) {
      const key = `${what}\n${rule}`
      const seen = this.#seen.get(key) ?? { types: new Set(), offers: 0 }
      this.#seen.set(key, seen)
      seen.types.add(instanceType)
      seen.offers++
    }
  }

  get facts(): FilledFact[] {
    return [...this.#seen]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { types, offers }]) => {
        const [what, rule = ''] = key.split('\n')
        return { what: what as FilledFact['what'], rule, types: types.size, offers }
      })
  }
}
