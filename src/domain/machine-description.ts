/** Facts about the machine of an offer other than its price, in the API's letter case; null if unknown. */
export interface MachineDescription {
  readonly accelerator_kind: string | null
  readonly vcpu_kind: string | null
  readonly kinds: readonly string[]
  readonly generation: string
  /** The day on which the provider ends the type. */
  readonly ends_on: string | null
  readonly speed: {
    readonly coremark_per_vcpu: number
    readonly basis: string
    readonly borrowed_from: string | null
  } | null
  readonly processor: string | null
  readonly local_disk: {
    readonly gib: number | null
    readonly kind: string
    readonly is_root: boolean
  } | null
  readonly network: { readonly baseline_gbps: number | null; readonly max_gbps: number | null } | null
  readonly spot_interruption: { readonly band: string; readonly as_of: string } | null
  readonly carbon: {
    readonly grams_co2e_per_hour: number
    readonly low: number
    readonly high: number
    readonly method: string
    readonly grid: string
    readonly grid_year: number | null
  } | null
  /** What changes compared with the current machine; absent if there is none to compare with. */
  readonly changes?: readonly string[]
  readonly performance?: {
    readonly ratio: number
    readonly low: number
    readonly high: number
    readonly basis: string
  } | null
}

/** What somebody who moves from one machine to another has to know, most important first. */
export const changeNames = [
  'provider',
  'region',
  'country',
  'partition',
  'payment',
  'term',
  'architecture',
  'unknown-architecture',
  'hypervisor',
  'image-generation',
  'fewer-cores',
  'less-memory',
  'slower-cores',
  'unknown-speed',
  'shared-vcpus',
  'burstable-vcpus',
  'capped-vcpus',
  'local-disk-lost',
  'smaller-local-disk',
  'slower-network',
  'previous-generation',
  'ending',
  'kind',
  'sap',
  'sap-lost',
  'constrained-vcpu',
  'constrained-vcpu-lost',
  'no-premium-storage',
] as const
export type Change = (typeof changeNames)[number]

const changePhrases: Readonly<Partial<Record<string, string>>> = {
  payment: 'another way of paying',
  country: 'another country',
  partition: 'another jurisdiction',
  architecture: 'another architecture',
  'unknown-architecture': 'architecture not known',
  hypervisor: 'another hypervisor (needs ENA and NVMe drivers)',
  'image-generation': 'needs a generation 2 image with NVMe',
  'unknown-speed': 'speed not known',
  'shared-vcpus': 'shared vCPUs',
  'burstable-vcpus': 'burstable vCPUs',
  'capped-vcpus': 'vCPUs capped at times',
  'local-disk-lost': 'no local disk',
  ending: 'has an end date',
  kind: 'another kind of machine',
  sap: 'SAP type',
  'sap-lost': 'not an SAP type',
  'constrained-vcpu': 'constrained vCPUs',
  'constrained-vcpu-lost': 'more cores to license',
}

/** fewer-cores -> fewer cores */
export const changePhrase = (change: string): string => changePhrases[change] ?? change.replaceAll('-', ' ')

/** A machine in the words of its provider, as a plan or an inventory describes it. */
export interface DescribedMachine {
  /** The provider's key. */
  readonly provider: string
  readonly region: string
  /** '' if it is not given. */
  readonly zone: string
  readonly instanceType: string
  readonly operatingSystem: string
  readonly usageType: string
}
