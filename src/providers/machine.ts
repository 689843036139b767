import type { FilledFact } from '../domain/manifest.ts'
import type { Architecture, UsageType } from '../domain/offer.ts'

/** What is known about a machine type, in all its regions. */
export interface MachineType {
  readonly vcpus: number | null
  readonly ramGib: number | null
  readonly architecture: Architecture
  /** null if unknown. */
  readonly gpuCount: number | null
  readonly gpuName: string
}

export interface SizedMachineType extends MachineType {
  readonly vcpus: number
  readonly ramGib: number
}

export const isSized = (machine: MachineType): machine is SizedMachineType =>
  machine.vcpus !== null && machine.ramGib !== null

/** Derives a type's size from its name or from its siblings; null if that would be a guess. */
export interface SizeRule {
  readonly name: string
  sizeOf(instanceType: string, known: ReadonlyMap<string, MachineType>): SizedMachineType | null
}

/** Derives a type's architecture in the same way; '' if that would be a guess. */
export interface ArchitectureRule {
  readonly name: string
  architectureOf(instanceType: string, known: ReadonlyMap<string, MachineType>): Architecture
}

/** Gives an accelerator model the same name at every provider, with its memory if the model is sold with several sizes. */
export function normaliseGpuName(name: string, memoryMib = 0): string {
  const folded = name.trim().toLowerCase()
  const sizes = withMemory.get(folded)
  return sizes?.find(([mib]) => memoryMib <= mib)?.[1] ?? spellings.get(folded) ?? name.trim()
}

/** Models whose name alone does not determine the memory: the maximum MiB, then the name. 0 MiB means unknown. */
const withMemory = new Map<string, readonly (readonly [number, string])[]>([
  [
    // The 32 GB card is listed with its memory, the older one without.
    'nvidia v100',
    [
      [16_384, 'NVIDIA V100 16GB'],
      [Infinity, 'NVIDIA V100 32GB'],
    ],
  ],
  [
    'nvidia a100',
    [
      [0, 'NVIDIA A100'],
      [40_960, 'NVIDIA A100 40GB'],
      [Infinity, 'NVIDIA A100 80GB'],
    ],
  ],
])

const spellings = new Map([
  ['l4', 'NVIDIA L4'],
  ['l40s', 'NVIDIA L40S'],
  ['a100-40', 'NVIDIA A100 40GB'],
  ['a100-80', 'NVIDIA A100 80GB'],
  ['nvidia h100', 'NVIDIA H100 80GB'],
  ['nvidia h100 80gb mega', 'NVIDIA H100 80GB'], // the same card with a faster network
  ['nvidia h200', 'NVIDIA H200 141GB'],
  ['rtx pro 4500', 'NVIDIA RTX PRO 4500'],
  ['nvidia rtx pro 6000', 'NVIDIA RTX PRO 6000'],
  ['nvidia rtx pro server 6000', 'NVIDIA RTX PRO 6000'],
  ['nvidia rtx pro 6000 blackwell server edition', 'NVIDIA RTX PRO 6000'],
  ['qualcomm qualcomm ai100', 'Qualcomm AI100'],
  ['tesla v100s 32gb', 'NVIDIA V100S 32GB'],
  ['nvidia v100s', 'NVIDIA V100S 32GB'],
])

export interface FillRules {
  readonly sizes?: readonly SizeRule[]
  readonly architectures?: readonly ArchitectureRule[]
  /** Whether the name alone says that the machine has an accelerator. */
  isAccelerated?(instanceType: string): boolean
  /** Returns the vCPUs in the name, which take precedence over those of the list; null if the name has none. */
  vcpusOf?(instanceType: string): number | null
  /** Whether a type is sold with a usage type. If absent, everything that has a price is sold. */
  isSold?(price: { readonly instanceType: string; readonly usageType: UsageType }): boolean
  /** Architectures that are replaced by another: a machine that runs both is listed under the lesser one. */
  readonly runsAs?: Partial<Record<Architecture, Architecture>>
}

/** Returns why nobody can buy a machine at a price, which is therefore left out; undefined if somebody can. */
export function reasonToLeaveOut(
  { isSold }: FillRules,
  price: { readonly instanceType: string; readonly usageType: UsageType },
): string | undefined {
  return isSold?.(price) === false ? 'not sold on these terms' : undefined
}

export interface FilledMachine extends MachineType {
  readonly gpuCount: number
  /** Which rule supplied what; absent if the price list itself did. */
  readonly rules: Partial<Record<FilledFact['what'], string>>
}

/** After the rules have been applied. Rows of a type that lack something get it from here. */
export function fillMachines(
  rows: Iterable<MachineType & { readonly instanceType: string }>,
  rules: FillRules,
): Map<string, FilledMachine> {
  const known = collect(rows, rules)
  const sizeRules = new Map<string, string>()
  const sizes = rules.sizes ?? []
  const unsized = new Set([...known].filter(([, machine]) => !isSized(machine)).map(([type]) => type))
  for (let found = true; found; ) {
    found = false
    for (const type of unsized) {
      for (const rule of sizes) {
        const size = rule.sizeOf(type, known)
        if (size === null) continue
        known.set(type, size)
        sizeRules.set(type, rule.name)
        unsized.delete(type)
        found = true
        break
      }
    }
  }
  const filled = new Map<string, FilledMachine>()
  for (const [type, machine] of known)
    filled.set(type, finish(type, machine, known, rules, sizeRules.get(type)))
  return filled
}

/** Takes the most complete row of each type, or the first of equals. */
function collect(rows: Iterable<MachineType & { readonly instanceType: string }>, { runsAs }: FillRules) {
  const known = new Map<string, MachineType>()
  for (const row of rows) {
    const seen = known.get(row.instanceType)
    if (seen !== undefined && completeness(row) <= completeness(seen)) continue
    const { vcpus, ramGib, gpuCount, gpuName } = row
    known.set(row.instanceType, {
      vcpus,
      ramGib,
      architecture: runsAs?.[row.architecture] ?? row.architecture,
      gpuCount,
      gpuName,
    })
  }
  return new Map([...known].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

const completeness = (machine: MachineType): number =>
  (isSized(machine) ? 4 : 0) + (machine.architecture !== '' ? 2 : 0) + (machine.gpuCount !== null ? 1 : 0)

function finish(
  type: string,
  machine: MachineType,
  known: ReadonlyMap<string, MachineType>,
  { architectures = [], isAccelerated }: FillRules,
  sizeRule: string | undefined,
): FilledMachine {
  const rules: FilledMachine['rules'] = sizeRule === undefined ? {} : { size: sizeRule }
  let { architecture, gpuCount } = machine
  if (sizeRule !== undefined && architecture !== '') rules.architecture = sizeRule
  for (const rule of architectures) {
    if (architecture !== '') break
    architecture = rule.architectureOf(type, known)
    if (architecture !== '') rules.architecture = rule.name
  }
  // An accelerator without a count is at least one: the machine must not look like one without an accelerator.
  const hasAccelerator = machine.gpuName !== '' || (isAccelerated?.(type) ?? false)
  if (hasAccelerator && (gpuCount ?? 0) === 0) {
    gpuCount = 1
    rules.accelerator = 'not counted, at least one by its name'
  }
  return { ...machine, architecture, gpuCount: gpuCount ?? 0, rules }
}
