import type { DiskKind } from '../../../domain/comparability.ts'
import type {
  AcceleratorKind,
  Generation,
  MachineFactsFile,
  SpeedBasis,
  VcpuKind,
} from '../../../domain/machine-facts.ts'
import { normaliseGpuName } from '../../machine.ts'
import { FactsError } from '../table.ts'

type Fields = Readonly<Record<string, string>>

export type Row<Section extends keyof MachineFactsFile> =
  MachineFactsFile[Section] extends readonly (infer R)[] ? R : never

export function generationRow(f: Fields): Row<'generations'> | undefined {
  if (f.generation === 'current' && f.retires_on === '') return undefined
  return [f.provider!, f.instance_type!.trim(), f.generation as Generation, f.retires_on!]
}

export function diskRow(f: Fields): Row<'disks'> | undefined {
  const gib = amount(f.local_disk_gib)
  const [baseline, most] = [amount(f.network_gbps_baseline), amount(f.network_gbps_max)]
  if (gib === null && f.local_disk_kind === '' && baseline === null && most === null) return undefined
  const isRoot = f.local_disk_is_root === 'true'
  return [f.provider!, f.instance_type!.trim(), gib, f.local_disk_kind as DiskKind, isRoot, baseline, most]
}

/** Patterns are checked here, so that later readers can rely on them. */
export function kindRow(f: Fields): Row<'kinds'> {
  return [f.provider!, checkedPattern(f.pattern!), f.kind!]
}

export function vcpuRow(f: Fields): Row<'vcpus'> {
  return [f.provider!, Number(f.rank), checkedPattern(f.pattern!), f.vcpu_kind as VcpuKind]
}

export function acceleratorRow(provider: string, f: Fields): Row<'accelerators'> {
  const model = normaliseGpuName(f.gpu_name!, amount(f.memory_mib_each) ?? 0)
  return [
    provider,
    f.instance_type!.trim(),
    Number(f.gpu_count),
    model,
    f.accelerator_kind as AcceleratorKind,
  ]
}

/** Leaves out names such as "global", which mean other rows. */
export function regionRow(f: Fields): Row<'regions'> | undefined {
  if (f.partition === 'all-regions') return undefined
  const { provider, region, country, continent, city, partition } = f as Record<string, string>
  return [
    provider!,
    region!,
    country!,
    continent!,
    city!,
    Number(f.latitude),
    Number(f.longitude),
    partition!,
  ]
}

export function powerRow(f: Fields): Row<'power'> | undefined {
  const [idle, full] = [amount(f.min_watts), amount(f.max_watts)]
  if (idle === null || full === null) return undefined
  return [f.provider!, f.instance_type!.trim(), idle, full, f.method!]
}

export function carbonRow(f: Fields): Row<'carbon'> {
  return [f.provider!, f.region!, Number(f.gco2e_per_kwh), amount(f.year), f.scope!]
}

export function donorBasis(text: string): SpeedBasis {
  if (text.startsWith('same family')) return 'same-family'
  return text.startsWith('same generation') ? 'same-generation' : 'same-processor'
}

export function amount(text: string | undefined): number | null {
  if (text === undefined || text === '') return null
  const value = Number(text)
  if (!Number.isFinite(value)) throw new FactsError(`"${text}" is not a number`)
  return value
}

function checkedPattern(pattern: string): string {
  try {
    return new RegExp(pattern).source
  } catch {
    throw new FactsError(`"${pattern}" is no regular expression`)
  }
}
