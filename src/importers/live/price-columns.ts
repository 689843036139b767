import type { MachineType } from '../machine.ts'
import type { LivePrice } from './live-price.ts'

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
