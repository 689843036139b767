import type { Change } from '../../domain/machine-description.ts'
import type { Offer } from '../../domain/offer.ts'

/**
 * Families of EC2 that run on the Xen hypervisor; all others run on Nitro, which needs drivers for ENA and NVMe
 * (docs.aws.amazon.com/ec2/latest/instancetypes/ec2-nitro-instances.html).
 */
const xenType =
  /^(?:t[12]|m[1-4]|c[134]|cc2|cr1|r[34]|x1e?|i[23]|d2|h1|hs1|f1|g2|g3s?|p[23])\.(?!metal)[a-z0-9]+$/i
const ec2Type = /^[a-z0-9-]+\.[a-z0-9-]+$/i

/** Sizes of Azure from version 6 on have only NVMe disks and start only images of generation 2. */
const azureSize = /^Standard_\w+?(?:_v(?<version>\d+))?$/i
const firstNvmeVersion = 6

type PlatformType = Pick<Offer, 'provider' | 'instanceType'>

/**
 * Returns what the operating system must have to start on another type of the same provider. The form of the names shows
 * which provider it is.
 */
export function platformChange(from: PlatformType, to: PlatformType): Change | undefined {
  if (from.provider !== to.provider) return undefined
  const [before, after] = [from.instanceType, to.instanceType]
  if (xenType.test(before) && ec2Type.test(after) && !xenType.test(after)) return 'hypervisor'
  return versionOf(before) < firstNvmeVersion && versionOf(after) >= firstNvmeVersion
    ? 'image-generation'
    : undefined
}

/** Whether a type is of an earlier generation of the same series, by their names: i3 after i4i, E4s_v3 after E4s_v5. */
export function isOlderSeries(from: PlatformType, to: PlatformType): boolean {
  if (from.provider !== to.provider) return false
  const [before, after] = [seriesOf(from.instanceType), seriesOf(to.instanceType)]
  return before !== undefined && before.letters === after?.letters && after.generation < before.generation
}

/** i4i.large -> i, 4; n2-standard-4 -> n, 2; Standard_E4ds_v5 -> E, 5 */
function seriesOf(instanceType: string): { letters: string; generation: number } | undefined {
  const [, azureLetters] = /^Standard_([A-Z]+)\d/i.exec(instanceType) ?? []
  if (azureLetters !== undefined)
    return { letters: azureLetters.toUpperCase(), generation: versionOf(instanceType) }
  const [, letters, generation] = /^([a-z]+)(\d+)[a-z0-9]*[.-]/.exec(instanceType) ?? []
  return letters === undefined ? undefined : { letters, generation: Number(generation) }
}

/** Standard_D8as_v5 -> 5; 1 if the name has no version, NaN if it is not a size of Azure. */
function versionOf(instanceType: string): number {
  const match = azureSize.exec(instanceType)
  return match === null ? Number.NaN : Number(match.groups?.version ?? 1)
}
