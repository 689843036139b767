import {
  type DiskKind,
  diskKinds,
  kindBits,
  ordinaryTraits,
  type TypeTraits,
} from '../../domain/comparability.ts'
import type {
  AcceleratorKind,
  Generation,
  MachineFactsFile,
  SpeedBasis,
  VcpuKind,
} from '../../domain/machine-facts.ts'
import type { OperatingSystem } from '../../domain/offer.ts'

export interface KnownSpeed {
  readonly perVcpu: number
  readonly basis: SpeedBasis
  /** The type from which it is borrowed; '' if it is the type's own. */
  readonly donor: string
}

interface KnownDisk {
  /** null if there is a disk of unknown size. */
  readonly gib: number | null
  readonly kind: DiskKind
  /** Whether it is the persistent disk, whose price is included in that of the machine. */
  readonly isRoot: boolean
}

interface KnownNetwork {
  readonly baselineGbps: number | null
  readonly maxGbps: number | null
}

/** A band from 0 (under 5% a month) to 4 (above 20%). */
interface SpotInterruption {
  readonly band: number
  readonly label: string
  readonly day: string
}

export class MachineFacts {
  readonly #generations: Map<string, readonly [Generation, string]>
  readonly #disks: Map<string, MachineFactsFile['disks'][number]>
  readonly #speeds: Map<string, KnownSpeed>
  readonly #processors: Map<string, string>
  readonly #power: Map<string, MachineFactsFile['power'][number]>
  readonly #accelerators: Map<string, MachineFactsFile['accelerators'][number]>
  readonly #models: Map<string, AcceleratorKind>
  readonly #kinds: PatternTable
  readonly #vcpus: PatternTable<VcpuKind>
  readonly #spotRegions: Map<string, MachineFactsFile['spotRegions'][number]>
  readonly #spotBands: Map<string, string>

  constructor(files: readonly MachineFactsFile[]) {
    const all = <S extends 'disks' | 'power' | 'accelerators'>(section: S) =>
      new Map(files.flatMap((file) => file[section].map((row) => [keyOf(row[0], row[1]), row] as const)))
    this.#disks = all('disks') as Map<string, MachineFactsFile['disks'][number]>
    this.#power = all('power') as Map<string, MachineFactsFile['power'][number]>
    this.#accelerators = all('accelerators') as Map<string, MachineFactsFile['accelerators'][number]>
    this.#generations = new Map(
      files.flatMap((f) => f.generations.map(([p, t, generation, day]) => [keyOf(p, t), [generation, day]])),
    )
    this.#speeds = new Map(
      files.flatMap((f) =>
        f.speeds.map(([p, t, perVcpu, basis, donor]) => [keyOf(p, t), { perVcpu, basis, donor }]),
      ),
    )
    this.#processors = new Map(files.flatMap((f) => f.processors.map(([p, t, name]) => [keyOf(p, t), name])))
    this.#models = new Map(
      files.flatMap((f) => f.accelerators.map(([, , , model, kind]) => [model.toLowerCase(), kind])),
    )
    this.#kinds = new PatternTable(files.flatMap((f) => f.kinds))
    const rules = files.flatMap((f) => f.vcpus).toSorted(([, a], [, b]) => a - b)
    this.#vcpus = new PatternTable(rules.map(([p, , pattern, kind]) => [p, pattern, kind]))
    this.#spotRegions = new Map(files.flatMap((f) => f.spotRegions.map((row) => [row[0], row])))
    this.#spotBands = new Map(
      files.flatMap((f) => f.spotBands.map(([p, system, t, bands]) => [`${keyOf(p, t)}\n${system}`, bands])),
    )
  }

  /** Returns what search compares. The result is not cached, because callers may name any type. */
  traits(provider: string, instanceType: string): TypeTraits {
    const disk = this.disk(provider, instanceType)
    const kinds = this.kinds(provider, instanceType)
    const { generation } = this.generation(provider, instanceType)
    return {
      ...ordinaryTraits,
      kinds: kindBits(kinds),
      isShared: this.vcpuKind(provider, instanceType) === 'shared',
      isOffered: !kinds.includes('custom') && generation !== 'retired' && generation !== 'retiring',
      speed: this.speed(provider, instanceType)?.perVcpu ?? 0,
      localDiskGib: Math.round(disk?.gib ?? 0),
      localDiskRank: diskKinds.indexOf(disk?.kind ?? ''),
    }
  }

  /** Returns every special kind, including those that only mark a change. */
  kinds(provider: string, instanceType: string): readonly string[] {
    return this.#kinds.all(provider, instanceType)
  }

  generation(provider: string, instanceType: string): { generation: Generation; endsOn: string } {
    const [generation, endsOn] = this.#generations.get(keyOf(provider, instanceType)) ?? ['current', '']
    return { generation, endsOn }
  }

  vcpuKind(provider: string, instanceType: string): VcpuKind | undefined {
    return this.#vcpus.first(provider, instanceType)
  }

  speed(provider: string, instanceType: string): KnownSpeed | undefined {
    return this.#speeds.get(keyOf(provider, instanceType))
  }

  processor(provider: string, instanceType: string): string | undefined {
    return this.#processors.get(keyOf(provider, instanceType))
  }

  /** Returns undefined if unknown. A type without a disk has a disk of 0 GiB. */
  disk(provider: string, instanceType: string): KnownDisk | undefined {
    const row = this.#disks.get(keyOf(provider, instanceType))
    if (row === undefined || (row[2] === null && row[3] === '')) return undefined
    return { gib: row[2], kind: row[3], isRoot: row[4] }
  }

  network(provider: string, instanceType: string): KnownNetwork | undefined {
    const row = this.#disks.get(keyOf(provider, instanceType))
    if (row === undefined || (row[5] === null && row[6] === null)) return undefined
    return { baselineGbps: row[5], maxGbps: row[6] }
  }

  power(provider: string, instanceType: string): { idleWatts: number; fullWatts: number } | undefined {
    const row = this.#power.get(keyOf(provider, instanceType))
    return row === undefined ? undefined : { idleWatts: row[2], fullWatts: row[3] }
  }

  accelerator(provider: string, instanceType: string): { count: number; model: string } | undefined {
    const row = this.#accelerators.get(keyOf(provider, instanceType))
    return row === undefined ? undefined : { count: row[2], model: row[3] }
  }

  /** A model that is in no table is a GPU: all models of the other kinds are in one. */
  acceleratorKind(model: string): AcceleratorKind {
    return this.#models.get(model.toLowerCase()) ?? 'gpu'
  }

  spotInterruption(
    provider: string,
    region: string,
    operatingSystem: OperatingSystem,
    instanceType: string,
  ): SpotInterruption | undefined {
    const band = Number(this.#spotMark(provider, region, operatingSystem, instanceType))
    if (Number.isNaN(band)) return undefined
    return { band, label: bandLabels[band]!, day: this.#spotRegions.get(provider)![1] }
  }

  /** Returns false if the provider reports that spot costs as much as its list price there. */
  spotSaves(
    provider: string,
    region: string,
    operatingSystem: OperatingSystem,
    instanceType: string,
  ): boolean {
    return this.#spotMark(provider, region, operatingSystem, instanceType) !== 'x'
  }

  #spotMark(provider: string, region: string, system: OperatingSystem, instanceType: string): string {
    const at = this.#spotRegions.get(provider)?.[2].indexOf(region) ?? -1
    return this.#spotBands.get(`${keyOf(provider, instanceType)}\n${system}`)?.[at] ?? '-'
  }
}

const bandLabels = ['<5%', '5-10%', '10-15%', '15-20%', '>20%']

const keyOf = (provider: string, instanceType: string): string => `${provider}\n${instanceType.toLowerCase()}`

/** Values by provider and a pattern of type names, in the order given. */
class PatternTable<Value extends string = string> {
  readonly #byProvider = new Map<string, { pattern: RegExp; value: Value }[]>()

  constructor(rows: Iterable<readonly [provider: string, pattern: string, value: Value]>) {
    for (const [provider, pattern, value] of rows)
      this.#byProvider.getOrInsertComputed(provider, () => []).push({ pattern: new RegExp(pattern), value })
  }

  first(provider: string, name: string): Value | undefined {
    return this.#byProvider.get(provider)?.find(({ pattern }) => pattern.test(name))?.value
  }

  all(provider: string, name: string): readonly Value[] {
    const rules = this.#byProvider.get(provider) ?? []
    return [...new Set(rules.filter(({ pattern }) => pattern.test(name)).map(({ value }) => value))]
  }
}
