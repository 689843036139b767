import { parseOperatingSystem, parseUsageType } from '../../domain/names.ts'
import { type Architecture, architectures, type ListedPrice, type Term, terms } from '../../domain/offer.ts'
import { type MachineType, normaliseGpuName } from '../machine.ts'

export const factColumns = [
  'provider',
  'service',
  'region',
  'availability_zone',
  'instance_type',
  'operating_system',
  'usage_type',
  'term',
  'vcpus',
  'ram_gib',
  'architecture',
  'gpu_count',
  'gpu_name',
  'price_usd_per_hour',
  'source',
] as const

export interface Fact extends MachineType, ListedPrice {
  readonly source: string
  readonly day: string
}

/** Returns the reason if the row is not a fact. */
export function readFact(provider: string, fields: readonly string[]): Fact | string {
  if (fields.length !== factColumns.length) return 'wrong number of fields'
  const [owner, , region, zone, instanceType, os, usage, term, cpu, ram, arch, gpus, gpuName, price, source] =
    fields.map((field) => field.trim()) as unknown as Texts<typeof factColumns>
  if (owner !== provider) return 'of another provider'
  if (region === '' || instanceType === '') return 'without region or instance type'
  const operatingSystem = parseOperatingSystem(os)
  if (operatingSystem === undefined) return 'unknown operating system'
  const usageType = parseUsageType(usage)
  if (usageType === undefined) return 'unknown usage type'
  if (!isTerm(term) || (usageType === 'RESERVED') !== (term !== '')) return 'term does not fit the usage type'
  if (!isArchitecture(arch)) return 'unknown architecture'
  const pricePerHourUsd = Number(price)
  if (price === '' || !Number.isFinite(pricePerHourUsd) || pricePerHourUsd <= 0)
    return 'price is not a positive number'
  const vcpus = amount(cpu)
  const ramGib = amount(ram)
  const gpuCount = amount(gpus)
  if ([vcpus, ramGib, gpuCount].some(Number.isNaN) || vcpus === 0 || ramGib === 0)
    return 'size is not a positive number'
  const day = sourceDay(source)
  if (day === undefined) return 'source without a day'
  const machine = { vcpus, ramGib, architecture: arch, gpuCount, gpuName: normaliseGpuName(gpuName) }
  return {
    region,
    zone,
    instanceType,
    operatingSystem,
    usageType,
    term,
    ...machine,
    pricePerHourUsd,
    source,
    day,
  }
}

type Texts<Names extends readonly string[]> = { [Name in keyof Names]: string }

const isTerm = (term: string): term is Term => (terms as readonly string[]).includes(term)
const isArchitecture = (name: string): name is Architecture =>
  (architectures as readonly string[]).includes(name)

/** Returns null for a blank text, which means unknown, and NaN for a text that is not an amount. */
function amount(text: string): number | null {
  if (text === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : Number.NaN
}

/** Returns the first day in the source. It is the day of the prices; later days are only in remarks. */
function sourceDay(source: string): string | undefined {
  return /\b(20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))\b/.exec(source)?.[1]
}
