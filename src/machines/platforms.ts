import type { Change } from '../domain/machine-description.ts'
import type { Offer } from '../domain/offer.ts'

/**
 * Families of AWS that run on the Xen hypervisor; all others run on Nitro, which needs drivers for ENA and NVMe
 * (docs.aws.amazon.com/ec2/latest/instancetypes/ec2-nitro-instances.html).
 */
const xenFamilies: ReadonlySet<string> = new Set(
  't1 t2 m1 m2 m3 m4 c1 c3 c4 cc2 cr1 r3 r4 x1 x1e i2 i3 d2 h1 hs1 f1 g2 g3 g3s p2 p3'.split(' '),
)

/** Sizes of Azure from this version on have only NVMe disks and start only images of generation 2. */
const firstNvmeVersion = 6

type PlatformType = Pick<Offer, 'provider' | 'instanceType'>

/** Returns what the operating system must have to start on another type of the same provider. */
export function platformChange(from: PlatformType, to: PlatformType): Change | undefined {
  if (from.provider !== to.provider) return undefined
  if (from.provider === 'aws') return isXen(from) && !isXen(to) ? 'hypervisor' : undefined
  if (from.provider !== 'azure') return undefined
  return versionOf(from) < firstNvmeVersion && versionOf(to) >= firstNvmeVersion
    ? 'image-generation'
    : undefined
}

function isXen({ instanceType }: PlatformType): boolean {
  const [family = '', size] = instanceType.toLowerCase().split('.')
  return xenFamilies.has(family) && size !== 'metal'
}

/** Standard_D8as_v5 -> 5; 1 if the name has no version. */
const versionOf = ({ instanceType }: PlatformType): number => Number(/_v(\d+)$/i.exec(instanceType)?.[1] ?? 1)
