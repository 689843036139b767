import type { Offer } from '../domain/offer.ts'
import { architectures } from '../domain/offer.ts'
import { compareText, Dictionary, sorted } from './dictionary.ts'
import { type Ids, narrowed } from './narrow.ts'

/** What an offer says of the machine behind it; a few thousand combinations serve all offers. */
export type Machine = Pick<
  Offer,
  | 'service'
  | 'vcpus'
  | 'ramGib'
  | 'architecture'
  | 'gpuCount'
  | 'gpuName'
  | 'monthlyCapUsd'
  | 'burstableBaseline'
  | 'family'
>

/** Machines in columns; NaN is "not known", "no cap", "not burstable". */
export interface Machines {
  readonly count: number
  readonly services: readonly string[]
  readonly gpuNames: readonly string[]
  readonly families: readonly string[]
  readonly service: Ids
  readonly vcpus: Float64Array
  readonly ramGib: Float64Array
  readonly architecture: Uint8Array
  readonly gpuCount: Float64Array
  readonly gpuName: Ids
  readonly monthlyCapUsd: Float64Array
  readonly baseline: Float64Array
  readonly family: Ids
}

export class MachineDictionary {
  readonly values: Machine[] = []
  readonly #ids = new Map<string, number>()
  #last: Machine | undefined
  #lastId = 0

  id(machine: Machine): number {
    if (this.#last !== undefined && same(this.#last, machine)) return this.#lastId
    const key = JSON.stringify([
      machine.service,
      machine.vcpus,
      machine.ramGib,
      machine.architecture,
      machine.gpuCount,
      machine.gpuName,
      machine.monthlyCapUsd,
      machine.burstableBaseline,
      machine.family,
    ])
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

export function machinesOf(machines: readonly Machine[]): Machines {
  const services = texts(machines, (m) => m.service)
  const gpuNames = texts(machines, (m) => m.gpuName)
  const families = texts(machines, (m) => m.family)
  const numbers = (of: (m: Machine) => number | null) =>
    Float64Array.from(machines, (m) => of(m) ?? Number.NaN)
  return {
    count: machines.length,
    services: services.names,
    gpuNames: gpuNames.names,
    families: families.names,
    service: services.ids,
    gpuName: gpuNames.ids,
    family: families.ids,
    vcpus: numbers((m) => m.vcpus),
    ramGib: numbers((m) => m.ramGib),
    gpuCount: numbers((m) => m.gpuCount),
    monthlyCapUsd: numbers((m) => m.monthlyCapUsd),
    baseline: numbers((m) => m.burstableBaseline),
    architecture: Uint8Array.from(machines, (m) => architectures.indexOf(m.architecture)),
  }
}

function texts(machines: readonly Machine[], of: (m: Machine) => string): { names: string[]; ids: Ids } {
  const dictionary = new Dictionary()
  const ids = machines.map((m) => dictionary.id(of(m)))
  const [names, moved] = sorted(dictionary.values, compareText)
  return {
    names,
    ids: narrowed(
      ids.map((id) => moved[id]!),
      names.length,
    ),
  }
}

function same(a: Machine, b: Machine): boolean {
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
