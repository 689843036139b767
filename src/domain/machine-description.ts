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
  'interconnect',
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
  interconnect: 'with or without InfiniBand, unlike now',
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
