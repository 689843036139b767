import type { Architecture, OperatingSystem } from '../../../domain/offer.ts'
import { amountOf, objectOf, textOf } from '../../fetching/importer.ts'
import type { MachineType } from '../../machine.ts'

/** A product of the price list that is imported: shared hardware, Linux or Windows, nothing pre-installed. */
export interface AwsProduct {
  readonly sku: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly machine: MachineType
}

/** Returns the product, or the reason why it is left out; '' if it is not a machine at all. */
export function readProduct(sku: string, value: unknown, region: string): AwsProduct | string {
  const product = objectOf(value)
  if (!/^Compute Instance/.test(textOf(product.productFamily))) return ''
  const a = objectOf(product.attributes)
  const operatingSystem = systems.get(textOf(a.operatingSystem))
  if (operatingSystem === undefined) return 'operating system with a licence of its own'
  if (textOf(a.tenancy) !== 'Shared') return 'not of shared tenancy'
  if (textOf(a.preInstalledSw) !== 'NA') return 'with software pre-installed'
  if (textOf(a.capacitystatus) !== 'Used') return 'capacity that is reserved but not used'
  if (/bring your own/i.test(textOf(a.licenseModel))) return 'with a licence to be brought along'
  if (!['', 'OnDemand'].includes(textOf(a.marketoption))) return 'of another market'
  if (!['', region].includes(textOf(a.regionCode)) || textOf(a.locationType) !== 'AWS Region')
    return 'in a local or wavelength zone'
  const instanceType = textOf(a.instanceType)
  if (!/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(instanceType)) return 'without an instance type'
  return { sku, instanceType, operatingSystem, machine: machineOf(a) }
}

/** Whether the bytes may contain such a product. If not, they need not be parsed. */
export const maybeProduct = (bytes: Buffer): boolean =>
  bytes.includes('"Shared"') && bytes.includes('"Compute Instance') && bytes.includes('"Used"')

const systems = new Map<string, OperatingSystem>([
  ['Linux', 'Linux'],
  ['Windows', 'Windows'],
])

function machineOf(a: Readonly<Record<string, unknown>>): MachineType {
  return {
    vcpus: amountOf(a.vcpu),
    ramGib: gib(textOf(a.memory)),
    architecture: architectureOf(textOf(a.physicalProcessor)),
    gpuCount: a.gpu === undefined ? null : amountOf(a.gpu),
    gpuName: '',
  }
}

/** "16 GiB", "1,952 GiB", "0.5 GiB"; "NA" for hosts. */
function gib(text: string): number | null {
  const match = /^([\d,.]+) GiB$/.exec(text)
  return match === null ? null : amountOf(match[1]!.replaceAll(',', ''))
}

function architectureOf(processor: string): Architecture {
  if (/graviton/i.test(processor)) return 'arm64'
  return /intel|amd|xeon|epyc/i.test(processor) ? 'x86_64' : ''
}
