import { type ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import {
  architectureNames,
  compareOffers,
  compareRegions,
  type OfferColumns,
  optionCount,
  optionOf,
  osNames,
  type PriceLabels,
  type ProviderRegion,
  purchaseOptionOf,
  termNames,
  usageNames,
  usageOf,
} from '../columns/columns.ts'
import { compareText } from '../columns/dictionary.ts'
import { LabelDictionary, offerPlaces } from '../columns/labels.ts'
import { Machines } from '../columns/machines.ts'
import {
  readFirstAppearances,
  readIds,
  readNumbers,
  readPrices,
  readSteps,
  readTexts,
  readTextTable,
} from './column-reader.ts'
import { type SlottedOffers, splitReservedSlots } from './format-1.ts'
import { storedVocabularies } from './write-columns.ts'

/** Whatever the bytes are, it returns columns that search can trust, or throws MalformedBytes. */
export function readColumns(r: ByteReader, version: number): OfferColumns {
  for (const names of storedVocabularies)
    if (readTexts(r).join('\n') !== names.join('\n'))
      throw new MalformedBytes('uses words that this release does not know')
  const types = ascending(readTexts(r), compareText, 'types')
  const zones = ascending(readTexts(r), compareText, 'zones')
  const places = readPlaces(r)
  const machines = readMachines(r)
  const labels = readLabels(r, places.length, zones.length)
  const groupCount = r.count(2, 'groups')
  const groupType = readIds(r, groupCount, types.length, 'type')
  const groupOs = Uint8Array.from(readIds(r, groupCount, osNames.length, 'operating system'))
  const read = (slotsOfGroup: number): SlottedOffers => {
    const slotStart = readSteps(r, groupCount * slotsOfGroup)
    const offers = readOffers(r, slotStart.at(-1)!, machines.count, labels.place.length)
    return { slotStart, offers, skus: readSkus(r, offers.price.length) }
  }
  const { slotStart, offers, skus } =
    version === 1 ? splitReservedSlots(read(usageNames.length), labels) : read(optionCount)
  const columns = {
    count: offers.price.length,
    types,
    zones,
    places,
    machines,
    labels,
    groupType,
    groupOs,
    slotStart,
    offers: { ...offers, place: offerPlaces(offers.label, labels, places.length) },
    skus,
  }
  checkOrder(columns)
  return columns
}

function readPlaces(r: ByteReader): ProviderRegion[] {
  const providers = readTexts(r)
  const regions = sameLength(readTexts(r), providers, 'places')
  const places = providers.map((provider, i) => ({ provider, region: regions[i]! }))
  return ascending(places, compareRegions, 'places')
}

function readMachines(r: ByteReader): Machines {
  const services = ascending(readTexts(r), compareText, 'services')
  const gpuNames = ascending(readTexts(r), compareText, 'GPU names')
  const families = ascending(readTexts(r), compareText, 'families')
  const count = r.count(4 + 5 * 8, 'machines')
  const service = readIds(r, count, services.length, 'service')
  const gpuName = readIds(r, count, gpuNames.length, 'GPU name')
  const family = readIds(r, count, families.length, 'family')
  const architecture = readIds(r, count, architectureNames.length, 'architecture')
  const [vcpus, ramGib, gpuCount] = [readNumbers(r, count), readNumbers(r, count), readNumbers(r, count)]
  const [monthlyCapUsd, baseline] = [readNumbers(r, count), readNumbers(r, count)]
  return new Machines(
    Array.from({ length: count }, (_, m) => ({
      service: services[service[m]!]!,
      gpuName: gpuNames[gpuName[m]!]!,
      family: families[family[m]!]!,
      architecture: architectureNames[architecture[m]!]!,
      vcpus: known(vcpus[m]!),
      ramGib: known(ramGib[m]!),
      gpuCount: gpuCount[m]! || 0,
      monthlyCapUsd: known(monthlyCapUsd[m]!),
      burstableBaseline: known(baseline[m]!),
    })),
  )
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value)

function readLabels(r: ByteReader, places: number, zones: number): PriceLabels {
  const source = readTexts(r)
  const day = sameLength(readTexts(r), source, 'origins')
  const place = readIds(r, source.length, places, 'place')
  const term = readIds(r, source.length, termNames.length, 'term')
  const zone = readIds(r, source.length, zones, 'zone')
  const labels = new LabelDictionary()
  for (let i = 0; i < source.length; i++) {
    const origin = { source: source[i]!, day: day[i]! }
    const id = labels.id(place[i]!, termNames[term[i]!]!, zone[i]!, origin)
    if (id !== i) throw new MalformedBytes('has a label twice')
  }
  return labels.labels(places, zones)
}

function readOffers(r: ByteReader, count: number, machines: number, labels: number) {
  return {
    price: readPrices(r, count),
    machine: readIds(r, count, machines, 'machine'),
    label: readIds(r, count, labels, 'label'),
  }
}

function readSkus(r: ByteReader, count: number) {
  const first = readTextTable(r)
  const rest = readTextTable(r)
  return {
    first,
    rest,
    firstOf: readFirstAppearances(r, count, first.length),
    restOf: readFirstAppearances(r, count, rest.length),
  }
}

/** Search relies on the order: with a file out of order it would return wrong answers without an error. */
function checkOrder(columns: OfferColumns): void {
  const { groupType, groupOs, slotStart, offers, labels } = columns
  const ordered = (isOrdered: boolean) => {
    if (!isOrdered) throw new MalformedBytes('is not in order')
  }
  for (let g = 0; g < groupOs.length; g++) {
    ordered(slotStart[(g + 1) * optionCount]! > slotStart[g * optionCount]!)
    if (g > 0) ordered((groupType[g]! - groupType[g - 1]! || groupOs[g]! - groupOs[g - 1]!) > 0)
  }
  for (let s = 0; s + 1 < slotStart.length; s++) {
    const optionOfTerm = termNames.map((term) => purchaseOptionOf(usageNames[usageOf(s)]!, term))
    for (let i = slotStart[s]!; i < slotStart[s + 1]!; i++) {
      ordered(optionOfTerm[labels.term[offers.label[i]!]!] === optionOf(s))
      if (i > slotStart[s]!) ordered(compareOffers(columns, s, i - 1, columns, s, i) < 0)
    }
  }
}

function ascending<T>(values: T[], compare: (a: T, b: T) => number, what: string): T[] {
  for (let i = 1; i < values.length; i++)
    if (compare(values[i - 1]!, values[i]!) >= 0)
      throw new MalformedBytes(`has ${what} that are not in order`)
  return values
}

function sameLength<T>(values: T[], others: readonly unknown[], what: string): T[] {
  if (values.length !== others.length) throw new MalformedBytes(`has ${what} of two lengths`)
  return values
}
