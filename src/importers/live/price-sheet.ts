import type { DroppedRows, ExchangeRate } from '../../domain/manifest.ts'
import type { ListedPrice, Offer } from '../../domain/offer.ts'
import type { MachineType } from '../machine.ts'

/** What an importer found. */
export class PriceSheet {
  readonly prices = new PriceColumns()
  readonly kept: StillHolds[] = []
  readonly zones: { readonly region: string; readonly zone: string }[] = []
  readonly notes: string[] = []
  readonly #dropped = new Map<string, { rows: number; example: string }>()
  /** Entries of the list that were looked at. */
  rows = 0
  /** What its prices were converted with. */
  exchange: ExchangeRate | undefined

  add(price: LivePrice): void {
    this.prices.add(price)
  }

  drop(reason: string, example: string, rows = 1): void {
    const seen = this.#dropped.get(reason)
    if (seen === undefined) this.#dropped.set(reason, { rows, example: example.slice(0, 200) })
    else seen.rows += rows
  }

  /** Last good offers that go on to hold: the list says that nothing changed, or cannot be asked about them. */
  keep(holds: StillHolds, note?: string): void {
    this.kept.push(holds)
    if (note !== undefined) this.notes.push(note)
  }

  /** Adds all that another found. */
  pour(from: PriceSheet): void {
    this.rows += from.rows
    for (const price of from.prices) this.add(price)
    for (const zone of from.zones) this.zones.push(zone)
    for (const { reason, rows, example } of from.dropped) this.drop(reason, example, rows)
  }

  /** By reason. */
  get dropped(): DroppedRows[] {
    return [...this.#dropped]
      .map(([reason, rest]) => ({ reason, ...rest }))
      .sort((a, b) => (a.reason < b.reason ? -1 : 1))
  }
}

/** One price as a provider's list states it, in US dollars. */
export interface LivePrice extends ListedPrice {
  /** As the list itself says; null if it does not say. */
  readonly machine: MachineType | null
  readonly monthlyCapUsd: number | null
  /** Where its rates are not those of the family that its name suggests. */
  readonly family?: string
  readonly source: string
  /** YYYY-MM-DD */
  readonly day: string
  readonly skuIds?: readonly string[]
}

/** Picks offers of the last good prices that still hold. */
type StillHolds = (offer: Offer) => boolean

/** What many prices have in common. */
type Label = Omit<LivePrice, 'instanceType' | 'pricePerHourUsd' | 'machine' | 'skuIds'>

/**
 * Prices in the order in which they were added, as records, since an object for each would take ten times as much:
 *
 *   0        8      12      16        20       24
 *   | price  | type | label | machine | skuEnd |
 *
 * Ids of SKUs stand end to end in a block of bytes; those of record i end at its skuEnd and begin where those before end.
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
    const skus = skuIds?.join(between) ?? ''
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
      ...(skus === '' ? {} : { skuIds: skus.split(between) }),
    }
  }

  #skuStart(i: number): number {
    return i === 0 ? 0 : this.#words[i * 6 - 1]!
  }

  /** The position after it. */
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
const between = '\n'

/** Each value once. */
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

/** A part of a text keeps the whole text in memory, a page of a list for a name; a copy does not. */
const owned = (text: string): string => Buffer.from(text).toString()

/** Eight digits after the point, as the price facts have: 0.0071 x 1.1567 = 0.00821257. */
export const convert = (amount: number, { rate }: ExchangeRate): number => Number((amount * rate).toFixed(8))
