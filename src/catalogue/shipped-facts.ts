import type { DiskOffer, DisksFile, DiskTypeRow } from '../domain/disk.ts'
import type { MachineFactsFile } from '../domain/machine-facts.ts'
import { hoursPerMonth } from '../domain/money.ts'
import type { FlexibleSize, Provider } from '../domain/provider.ts'
import { programFile, readAnyFileSync } from '../runtime/program-files.ts'
import type { MachineAndRegionFacts } from './facts/changes.ts'
import { MachineFacts } from './facts/machine-facts.ts'
import { Places } from './facts/places.ts'

/** The facts of Spare Cores are under another licence, so they have their own file. */
export const machineFactsFiles = ['machines.json', 'machines-spare-cores.json'] as const

const onFirstUse = <Value>(read: () => Value): (() => Value) => {
  let value: Value | undefined
  return () => {
    value ??= read()
    return value
  }
}

const readShipped = <File>(name: string): File =>
  JSON.parse(readAnyFileSync(programFile(`catalogue/${name}`)).toString())

const textKey = (provider: string, instanceType: string): string =>
  `${provider}\n${instanceType.toLowerCase()}`

export const shippedFacts = onFirstUse(() =>
  factsFrom(machineFactsFiles.map((name) => readShipped<MachineFactsFile>(name))),
)

export function factsFrom(files: readonly MachineFactsFile[]): MachineAndRegionFacts {
  return { machines: new MachineFacts(files), places: new Places(files) }
}

const disks = onFirstUse(() =>
  Map.groupBy(readShipped<DisksFile>('disks.json').types.flatMap(offersOf), ({ provider }) => provider),
)

export const shippedDisks = (provider: string): readonly DiskOffer[] => disks().get(provider) ?? []

function offersOf({ prices, ...type }: DiskTypeRow): DiskOffer[] {
  // A tier is sold as a whole, so its price is that of all its GiB.
  const gib = type.tier === '' ? 1 : type.maxGib
  return prices.map(([region, capacityUsd, iopsUsd = 0, mbpsUsd = 0]) => ({
    ...type,
    service: '',
    region,
    zone: '',
    usageType: 'ONDEMAND',
    gibPerHourUsd: capacityUsd / gib / hoursPerMonth,
    iopsPerHourUsd: iopsUsd / hoursPerMonth,
    mbpsPerHourUsd: mbpsUsd / hoursPerMonth,
  }))
}

/** Sizes that one reservation covers: by provider and group, the units of each type. */
interface FlexibleSizesFile {
  readonly groups: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>
}

const flexibleSizes = onFirstUse(() => {
  const sizes = new Map<string, FlexibleSize>()
  const { groups } = readShipped<FlexibleSizesFile>('flexible-sizes.json')
  for (const [provider, byGroup] of Object.entries(groups))
    for (const [group, types] of Object.entries(byGroup))
      for (const [type, units] of Object.entries(types)) sizes.set(textKey(provider, type), { group, units })
  return sizes
})

/** Returns undefined if a reservation of the type covers no other size. */
export const flexibleSizeOf = (
  { key, commitments }: Provider,
  instanceType: string,
): FlexibleSize | undefined =>
  commitments?.flexibleSizeOf?.(instanceType) ?? flexibleSizes().get(textKey(key, instanceType))

/** The file of types and those that their provider sells instead; `build/successors.ts` writes it. */
export interface SuccessorsFile {
  readonly format: 1
  readonly licence: string
  readonly credits: readonly string[]
  /** provider, type, successor */
  readonly successors: readonly (readonly [string, string, string])[]
}

const successors = onFirstUse(
  () =>
    new Map(
      readShipped<SuccessorsFile>('successors.json').successors.map(([provider, type, successor]) => [
        textKey(provider, type),
        successor,
      ]),
    ),
)

/** Returns the type that replaces another in the opinion of the file's source; undefined if it names none. */
export const successorOf = (provider: string, instanceType: string): string | undefined =>
  successors().get(textKey(provider, instanceType))
