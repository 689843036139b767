import {
  type ArchitectureRule,
  type FillRules,
  isSized,
  type MachineType,
  type SizedMachineType,
  type SizeRule,
} from '../machine.ts'
import { parseAzureName } from './provider.ts'

/** The rules are tried in this order, until none of them adds anything. */
export const azureSizeRules: readonly SizeRule[] = [
  { name: 'documented by the provider', sizeOf: documentedSize }, // series too new for the price facts
  { name: 'constrained vCPUs: the RAM of the full size', sizeOf: constrainedSize }, // D64-16s_v3: 16 vCPUs, RAM of D64s_v3
  { name: 'promotion: the size without _Promo', sizeOf: promotedSize },
  { name: 'local disk: the size without it', sizeOf: localDiskSize }, // D4ds_v7: D4s_v7; true of all 469 pairs known
  { name: 'between siblings of constant RAM per vCPU', sizeOf: siblingSize },
]

/** learn.microsoft.com/azure/virtual-machines/vm-naming-conventions: p is Arm, a is AMD; true of all 1,378 types known. */
export const azureArchitectureRules: readonly ArchitectureRule[] = [
  {
    name: 'processor letter in the name',
    architectureOf(instanceType) {
      const features = parseAzureName(instanceType)?.features ?? ''
      if (features.includes('p')) return 'arm64'
      return features.includes('a') ? 'x86_64' : ''
    },
  },
]

/** N is the provider's letter for machines with accelerators. */
export const isAzureAccelerated = (instanceType: string): boolean => /^standard_n/i.test(instanceType)

export const azureFill: FillRules = {
  sizes: azureSizeRules,
  architectures: azureArchitectureRules,
  isAccelerated: isAzureAccelerated,
  // The list has 64 vCPUs for M64-32bds_1_v3, which has 32.
  vcpusOf: (instanceType) => parseAzureName(instanceType)?.constrainedVcpus ?? null,
}

function documentedSize(instanceType: string): SizedMachineType | null {
  return documented.get(instanceType.toLowerCase()) ?? null
}

function constrainedSize(
  instanceType: string,
  known: ReadonlyMap<string, MachineType>,
): SizedMachineType | null {
  const name = parseAzureName(instanceType)
  if (name === null || name.constrainedVcpus === null) return null
  const full = known.get(name.unconstrained)
  if (full === undefined || !isSized(full) || name.constrainedVcpus >= full.vcpus) return null
  return { ...full, vcpus: name.constrainedVcpus }
}

function promotedSize(
  instanceType: string,
  known: ReadonlyMap<string, MachineType>,
): SizedMachineType | null {
  return /_promo$/i.test(instanceType) ? sized(known.get(instanceType.slice(0, -'_Promo'.length))) : null
}

function localDiskSize(
  instanceType: string,
  known: ReadonlyMap<string, MachineType>,
): SizedMachineType | null {
  const name = parseAzureName(instanceType)
  const disk = name?.features.indexOf('d') ?? -1
  if (name === null || disk === -1 || name.constrainedVcpus !== null || name.series.startsWith('N'))
    return null
  const features = name.features.slice(0, disk) + name.features.slice(disk + 1)
  return sized(known.get(`Standard_${name.series}${name.number}${features}${name.suffix}`))
}

const minSiblings = 3

/** Only between the smallest and the largest sibling, because the largest types often have less RAM per vCPU. */
function siblingSize(instanceType: string, known: ReadonlyMap<string, MachineType>): SizedMachineType | null {
  const name = parseAzureName(instanceType)
  if (name === null || name.constrainedVcpus !== null) return null
  const siblings: SizedMachineType[] = []
  for (const [type, machine] of known) {
    if (!isSized(machine) || !type.endsWith(name.suffix)) continue
    const other = parseAzureName(type)
    if (other === null || other.constrainedVcpus !== null) continue
    if (other.series !== name.series || other.features !== name.features || other.suffix !== name.suffix)
      continue
    if (other.number !== machine.vcpus) return null
    siblings.push(machine)
  }
  const [first] = siblings
  if (first === undefined || siblings.length < minSiblings) return null
  const ramPerVcpu = first.ramGib / first.vcpus
  const alike = siblings.every(
    (sibling) =>
      sibling.ramGib / sibling.vcpus === ramPerVcpu &&
      sibling.architecture === first.architecture &&
      sibling.gpuCount === 0,
  )
  const vcpus = siblings.map((sibling) => sibling.vcpus)
  if (!alike || name.number <= Math.min(...vcpus) || name.number >= Math.max(...vcpus)) return null
  return { ...first, vcpus: name.number, ramGib: name.number * ramPerVcpu }
}

const sized = (machine: MachineType | undefined): SizedMachineType | null =>
  machine !== undefined && isSized(machine) ? machine : null

const intel = { architecture: 'x86_64', gpuCount: 0, gpuName: '' } as const

function series(
  before: string,
  after: string,
  ramPerVcpu: number,
  vcpus: number[],
): [string, SizedMachineType][] {
  return vcpus.map((count) => [
    `standard_${before}${count}${after}`,
    { vcpus: count, ramGib: count * ramPerVcpu, ...intel },
  ])
}

/**
 * Source: https://learn.microsoft.com/azure/virtual-machines/sizes/ general-purpose/{dsv7,dlsv7}-series,
 * memory-optimized/{dnsv6,dnlsv6,ensv6,ebsv6,esv7}-series, read from MicrosoftDocs/azure-compute-docs (2025-05 to 2026-02).
 * Left out: D64ls_v7 and D96ls_v7, whose documented RAM (126 and 384) contradicts the series.
 */
const documented = new Map<string, SizedMachineType>([
  ...series('d', 's_v7', 4, [2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 248, 372]),
  ...series('d', 'ls_v7', 2, [2, 4, 8, 16, 32, 48, 128, 192, 248]),
  ...series('e', 's_v7', 8, [2, 4, 8, 16, 20, 32, 48, 64, 96, 128, 192, 248]),
  ['standard_e372is_v7', { vcpus: 372, ramGib: 2832, ...intel }],
  ...series('d', 'ns_v6', 4, [2, 4, 8, 16, 32, 48, 64, 96, 128]),
  ...series('d', 'nls_v6', 2, [2, 4, 8, 16, 32, 48, 64, 96, 128]),
  ...series('e', 'ns_v6', 8, [2, 4, 8, 16, 32, 48, 64, 96, 128]),
  ...series('e', 'bs_v6', 8, [2, 4, 8, 16, 32, 48, 64, 96, 128]),
  ['standard_e192ibs_v6', { vcpus: 192, ramGib: 1832, ...intel }],
])
