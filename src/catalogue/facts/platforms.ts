import type { Change } from '../domain/machine-description.ts'
import type { Offer } from '../domain/offer.ts'

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

/** Standard_D8as_v5 -> 5; 1 if the name has no version, NaN if it is not a size of Azure. */
function versionOf(instanceType: string): number {
  const match = azureSize.exec(instanceType)
  return match === null ? Number.NaN : Number(match.groups?.version ?? 1)
}
