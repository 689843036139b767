import type { Offer } from '../../domain/offer.ts'
import { architectures } from '../../domain/offer.ts'
import { compareText, Dictionary, sortWithRanks } from './dictionary.ts'

const machineMembers = [
  ...(['service', 'vcpus', 'ramGib', 'architecture', 'gpuCount', 'gpuName'] as const),
  ...(['monthlyCapUsd', 'burstableBaseline', 'family'] as const),
] satisfies (keyof Offer)[]
export type OfferMachine = Pick<Offer, (typeof machineMembers)[number]>

/**
 * Machines, one cache line each. NaN means "unknown", "no cap" or "not burstable". Ids of texts compare like the texts.
 *
 *   0        8        16         24    32         40        44        48       52             56        60
 *   | vcpus  | ramGib | gpuCount | cap | baseline | service | gpuName | family | architecture | gpuKey  | spare |
 */
export class Machines {
  readonly count: number
  readonly services: readonly string[]
  readonly gpuNames: readonly string[]
  readonly families: readonly string[]
  /** Keys of GPU models, from 1, by their name in lower case. A machine without a GPU has the key 0. */
  readonly gpuKeys: ReadonlyMap<string, number>
  readonly #numbers: Float64Array
  readonly #words: Uint32Array

  constructor(machines: readonly OfferMachine[]) {
    this.count = machines.length
    const services = texts(machines, (m) => m.service)
    const gpuNames = texts(machines, (m) => m.gpuName)
    const families = texts(machines, (m) => m.family)
    this.services = services.names
    this.gpuNames = gpuNames.names
    this.families = families.names
    const models = new Set(machines.filter((m) => m.gpuCount > 0).map((m) => m.gpuName.toLowerCase()))
    this.gpuKeys = new Map([...models].sort(compareText).map((name, i) => [name, i + 1]))
    this.#numbers = new Float64Array(machines.length * 8)
    this.#words = new Uint32Array(this.#numbers.buffer)
    for (let m = 0; m < machines.length; m++) {
      const machine = machines[m]!
      this.#numbers[m * 8] = machine.vcpus ?? Number.NaN
      this.#numbers[m * 8 + 1] = machine.ramGib ?? Number.NaN
      this.#numbers[m * 8 + 2] = machine.gpuCount
      this.#numbers[m * 8 + 3] = machine.monthlyCapUsd ?? Number.NaN
      this.#numbers[m * 8 + 4] = machine.burstableBaseline ?? Number.NaN
      this.#words[m * 16 + 10] = services.ids[m]!
      this.#words[m * 16 + 11] = gpuNames.ids[m]!
      this.#words[m * 16 + 12] = families.ids[m]!
      this.#words[m * 16 + 13] = architectures.indexOf(machine.architecture)
      this.#words[m * 16 + 14] = machine.gpuCount > 0 ? this.gpuKeys.get(machine.gpuName.toLowerCase())! : 0
    }
  }

  get byteLength(): number {
    return this.#numbers.byteLength
  }

  at(m: number): OfferMachine {
    const known = (value: number): number | null => (Number.isNaN(value) ? null : value)
    return {
      service: this.services[this.service(m)]!,
      vcpus: known(this.vcpus(m)),
      ramGib: known(this.ramGib(m)),
      architecture: architectures[this.architecture(m)]!,
      gpuCount: this.gpuCount(m),
      gpuName: this.gpuNames[this.gpuName(m)]!,
      monthlyCapUsd: known(this.monthlyCapUsd(m)),
      burstableBaseline: known(this.baseline(m)),
      family: this.families[this.family(m)]!,
    }
  }

  all(): OfferMachine[] {
    return Array.from({ length: this.count }, (_, m) => this.at(m))
  }

  vcpus(m: number): number {
    return this.#numbers[m * 8]!
  }

  ramGib(m: number): number {
    return this.#numbers[m * 8 + 1]!
  }

  isSized(m: number): boolean {
    return !Number.isNaN(this.#numbers[m * 8]! + this.#numbers[m * 8 + 1]!)
  }

  /**
   * Whether size and architecture describe the machine completely: the size is known, and there is
   * no GPU, cap or baseline.
   */
  isPlain(m: number): boolean {
    const isBare = Number.isNaN(this.monthlyCapUsd(m)) && Number.isNaN(this.baseline(m))
    return this.isSized(m) && isBare && this.gpuCount(m) === 0
  }

  gpuCount(m: number): number {
    return this.#numbers[m * 8 + 2]!
  }

  monthlyCapUsd(m: number): number {
    return this.#numbers[m * 8 + 3]!
  }

  baseline(m: number): number {
    return this.#numbers[m * 8 + 4]!
  }

  service(m: number): number {
    return this.#words[m * 16 + 10]!
  }

  gpuName(m: number): number {
    return this.#words[m * 16 + 11]!
  }

  family(m: number): number {
    return this.#words[m * 16 + 12]!
  }

  architecture(m: number): number {
    return this.#words[m * 16 + 13]!
  }

  gpuKey(m: number): number {
    return this.#words[m * 16 + 14]!
  }
}

export class MachineDictionary {
  readonly values: OfferMachine[] = []
  readonly #ids = new Map<string, number>()
  #last: OfferMachine | undefined
  #lastId = 0

  id(machine: OfferMachine): number {
    if (this.#last !== undefined && same(this.#last, machine)) return this.#lastId
    const key = JSON.stringify(machineMembers.map((member) => machine[member]))
    let id = this.#ids.get(key)
    if (id === undefined) {
      id = this.values.length
      this.#ids.set(key, id)
      this.values.push(machine)
    }
    this.#last = machine
    this.#lastId = id
    return id
  }
}

function texts(machines: readonly OfferMachine[], textOf: (m: OfferMachine) => string) {
  const dictionary = new Dictionary()
  const ids = machines.map((m) => dictionary.id(textOf(m)))
  const [names, moved] = sortWithRanks(dictionary.values, compareText)
  return { names, ids: ids.map((id) => moved[id]!) }
}

function same(a: OfferMachine, b: OfferMachine): boolean {
  return (
    a.vcpus === b.vcpus &&
    a.ramGib === b.ramGib &&
    a.architecture === b.architecture &&
    a.gpuCount === b.gpuCount &&
    a.monthlyCapUsd === b.monthlyCapUsd &&
    a.burstableBaseline === b.burstableBaseline &&
    a.gpuName === b.gpuName &&
    a.family === b.family &&
    a.service === b.service
  )
}
