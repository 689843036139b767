import type { DroppedRows, ExchangeRate } from '../../domain/manifest.ts'
import type { ListedPrice, Offer } from '../../domain/offer.ts'
import { DroppedCounts } from '../describe-offers.ts'
import type { MachineType } from '../machine.ts'

/** Everything that an importer found. */
export class PriceSheet {
  readonly prices = new PriceColumns()
  readonly kept: OfferFilter[] = []
  readonly zones: { readonly region: string; readonly zone: string }[] = []
  readonly notes: string[] = []
  readonly #dropped = new DroppedCounts()
  /** Number of entries of the list that were read. */
  rows = 0
  /** The rate at which the prices were converted. */
  exchange: ExchangeRate | undefined

  add(price: LivePrice): void {
    this.prices.add(price)
  }

  /** Adds the prices of an entry of the list, or counts the entry as dropped. */
  addEntry(prices: readonly LivePrice[] | string, example: string): void {
    this.rows++
    if (typeof prices === 'string') this.drop(prices, example)
    else for (const price of prices) this.add(price)
  }

  drop(reason: string, example: string, rows = 1): void {
    this.#dropped.add(reason, example, rows)
  }

  /** Keeps last good offers, either because the list has not changed or because it could not be read for them. */
  keep(isKept: OfferFilter, note?: string): void {
    this.kept.push(isKept)
    if (note !== undefined) this.notes.push(note)
  }

  addAll(from: PriceSheet): void {
    this.rows += from.rows
    for (const price of from.prices) this.add(price)
    for (const zone of from.zones) this.zones.push(zone)
    for (const { reason, rows, example } of from.dropped) this.drop(reason, example, rows)
  }

  /** Rows that were left out, sorted by reason. */
  get dropped(): DroppedRows[] {
    return this.#dropped.all
  }
}

/** One price as a provider's list states it, in US dollars. */
export interface LivePrice extends ListedPrice {
  /** The machine as the list describes it; null if it does not. */
  readonly machine: MachineType | null
  readonly monthlyCapUsd: number | null
  /** The family, if the rates are not those of the family that the name suggests. */
  readonly family?: string
  readonly source: string
  /** YYYY-MM-DD */
  readonly day: string
  readonly skuIds?: readonly string[]
}

/** What most small clouds sell. */
export const linuxOnDemand = {
  zone: '',
  operatingSystem: 'Linux',
  usageType: 'ONDEMAND',
  term: '',
  monthlyCapUsd: null,
} as const

/** Selects offers of the last good prices that stay valid. */
type OfferFilter = (offer: Offer) => boolean

/** What many prices have in common. */
type Label = Omit<LivePrice, 'instanceType' | 'pricePerHourUsd' | 'machine' | 'skuIds'>

/**
 * Prices in the order in which they were added, as records, because an object for each would take ten times the memory:
 *
 *   0        8      12      16        20       24
 *   | price  | type | label | machine | skuEnd |
 *
 * SKU ids are stored end to end in a block of bytes. Those of record i end at its skuEnd and begin at the skuEnd before it.
 */
export class PriceColumns implements Iterable<LivePrice> {
  #records = new ArrayBuffer(recordBytes * 1024)
  #numbers = new Float64Array(this.#records)
  #words = new Uint32Array(this.#records)
  #skus = Buffer.alloc(1024)
  #length = 0
  readonly #types = new Pool<string>()
  readonly #labels = new Pool<Label>()
  readonly #machines = new Pool<MachineType | null>()

  get length(): number {
    return this.#length
  }

  add({ instanceType, pricePerHourUsd, machine, skuIds, ...label }: LivePrice): void {
    const i = this.#length++
    if (this.#length * recordBytes > this.#records.byteLength) this.#grow()
    const skus = skuIds?.join(separator) ?? ''
    const from = this.#skuStart(i)
    this.#numbers[i * 3] = pricePerHourUsd
    this.#words[i * 6 + 2] = this.#types.id(instanceType, () => owned(instanceType))
    this.#words[i * 6 + 3] = this.#labels.id(JSON.stringify(label), () => ownedTexts(label))
    this.#words[i * 6 + 4] = this.#machines.id(machineKey(machine), () => machine)
    this.#words[i * 6 + 5] = this.#write(skus, from)
  }

  *[Symbol.iterator](): Generator<LivePrice> {
    for (let i = 0; i < this.#length; i++) yield this.#at(i)
  }

  #at(i: number): LivePrice {
    const skus = this.#skus.toString('utf8', this.#skuStart(i), this.#words[i * 6 + 5])
    return {
      ...this.#labels.values[this.#words[i * 6 + 3]!]!,
      instanceType: this.#types.values[this.#words[i * 6 + 2]!]!,
      pricePerHourUsd: this.#numbers[i * 3]!,
      machine: this.#machines.values[this.#words[i * 6 + 4]!]!,
      ...(skus === '' ? {} : { skuIds: skus.split(separator) }),
    }
  }

  #skuStart(i: number): number {
    return i === 0 ? 0 : this.#words[i * 6 - 1]!
  }

  #write(text: string, from: number): number {
    const end = from + Buffer.byteLength(text)
    if (end > this.#skus.length) {
      const larger = Buffer.alloc(end * 2)
      this.#skus.copy(larger, 0, 0, from)
      this.#skus = larger
    }
    this.#skus.write(text, from)
    return end
  }

  #grow(): void {
    this.#records = this.#records.transfer(this.#records.byteLength * 2)
    this.#numbers = new Float64Array(this.#records)
    this.#words = new Uint32Array(this.#records)
  }
}

const recordBytes = 24
const separator = '\n'

class Pool<T> {
  readonly values: T[] = []
  readonly #ids = new Map<string, number>()

  id(key: string, value: () => T): number {
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    this.#ids.set(owned(key), this.values.length)
    return this.values.push(value()) - 1
  }
}

function machineKey(machine: MachineType | null): string {
  if (machine === null) return ''
  return `${machine.vcpus} ${machine.ramGib} ${machine.architecture} ${machine.gpuCount} ${machine.gpuName}`
}

const ownedTexts = (label: Label): Label =>
  Object.fromEntries(
    Object.entries(label).map(([name, value]) => [name, typeof value === 'string' ? owned(value) : value]),
  ) as unknown as Label

/** Copies a text: a substring would keep the whole text in memory, such as a page of a list for one name. */
const owned = (text: string): string => Buffer.from(text).toString()

/** Converts with eight digits after the point, like the price facts: 0.0071 x 1.1567 = 0.00821257. */
export const convert = (amount: number, { rate }: ExchangeRate): number => Number((amount * rate).toFixed(8))
