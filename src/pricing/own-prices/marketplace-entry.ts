import type { MarketplaceEntry } from '../../domain/marketplace.ts'
import { parseOperatingSystem, parseUsageType } from '../../domain/names.ts'
import { operatingSystems, usageTypes } from '../../domain/offer.ts'
import { findTextFault, wrongWithText } from '../../domain/text.ts'

export const maxEntriesPerCall = 10_000
export const maxEntryNameBytes = 256
export const maxRawJsonLength = 4096
export const maxEntryNumber = 1_000_000
/** Smallest number of cores and GiB; dividing a price by less could overflow. */
export const smallestSize = 0.000_001

/** Reports one error: the member of the entry ('' for the entry itself) and what is wrong with it. */
type ReportError = (member: string, message: string) => void

/**
 * Parses a custom pricing entry. Returns undefined if an error was reported. `name` is the provider under which it is
 * registered.
 */
export function parseEntry(
  given: unknown,
  name: string,
  complain: ReportError,
): MarketplaceEntry | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    complain('', 'must be an object')
    return undefined
  }
  let sound = true
  const refuse: ReportError = (member, message) => {
    sound = false
    complain(member, message)
  }
  const members = given as Record<string, unknown>
  const provider = textOf(members, 'provider', refuse) || name
  const usageType = textOf(members, 'usage_type', refuse) || 'ONDEMAND'
  const knownUsageType = parseUsageType(usageType)
  if (knownUsageType === undefined) refuse('usage_type', `must be one of ${usageTypes.join(', ')}`)
  const operatingSystem = parseOperatingSystem(textOf(members, 'operating_system', refuse))
  if (operatingSystem === undefined) {
    refuse('operating_system', `must be one of ${operatingSystems.join(', ')}`)
  }
  const entry = {
    provider: name,
    service: textOf(members, 'service', refuse) || name,
    region: requiredText(members, 'region', refuse),
    zone: textOf(members, 'availability_zone', refuse),
    instanceType: requiredText(members, 'instance_type', refuse),
    operatingSystem: operatingSystem ?? 'Linux',
    usageType: knownUsageType ?? 'ONDEMAND',
    pricePerHourUsd: numberOf(members, 'cost_per_hour', 0, refuse),
    vcpus: numberOf(members, 'cpu_cores', smallestSize, refuse),
    ramGib: numberOf(members, 'ram_gb', smallestSize, refuse),
    rawJson: rawJsonOf(members.raw_pricing_data, provider === name ? undefined : provider, refuse),
  }
  if (entry.instanceType.trim().toLowerCase() === 'base') {
    refuse('instance_type', 'must not be "base", which names the current instance in answers')
  }
  return sound ? entry : undefined
}

export function toContract(entry: MarketplaceEntry) {
  return {
    cost_per_hour: entry.pricePerHourUsd,
    cpu_cores: entry.vcpus,
    ram_gb: entry.ramGib,
    usage_type: entry.usageType,
    instance_type: entry.instanceType,
    region: entry.region,
    raw_pricing_data: JSON.parse(entry.rawJson),
    provider: entry.provider,
    service: entry.service,
    operating_system: entry.operatingSystem,
    availability_zone: entry.zone,
  }
}

/** Returns what is wrong with a name, as a phrase that follows it, or undefined if it is valid. */
export function nameError(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'must be a string'
  if (name.trim() === '') return 'must not be blank'
  if (name.length > maxEntryNameBytes || Buffer.byteLength(name) > maxEntryNameBytes) {
    return `must not be longer than ${maxEntryNameBytes} bytes`
  }
  if (name !== name.trim()) return 'must not begin or end with a blank'
  return wrongWithText(name)
}

function requiredText(members: Record<string, unknown>, member: string, complain: ReportError): string {
  if (!Object.hasOwn(members, member)) {
    complain(member, 'is required')
    return ''
  }
  if (members[member] === '') complain(member, 'must not be blank')
  return textOf(members, member, complain)
}

function textOf(members: Record<string, unknown>, member: string, complain: ReportError): string {
  const value = Object.hasOwn(members, member) ? members[member] : ''
  if (value === '') return ''
  const wrong = nameError(value)
  if (wrong === undefined) return value as string
  complain(member, wrong)
  return ''
}

function numberOf(members: Record<string, unknown>, member: string, least: number, complain: ReportError) {
  const value = Object.hasOwn(members, member) ? members[member] : undefined
  if (typeof value === 'number' && value >= least && value <= maxEntryNumber) return value
  if (value === undefined) complain(member, 'is required')
  else if (typeof value !== 'number' || Number.isNaN(value)) complain(member, 'must be a number')
  else if (value > maxEntryNumber) complain(member, `must not be above ${maxEntryNumber}`)
  else if (value > 0) complain(member, `must be at least ${least}`)
  else complain(member, least === 0 ? 'must not be negative' : 'must be above zero')
  return 0
}

/** Keeps the entry's own name of its provider if it differs from the name under which it is registered. */
function rawJsonOf(given: unknown, otherProvider: string | undefined, complain: ReportError): string {
  const raw = given ?? {}
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    complain('raw_pricing_data', 'must be an object')
    return '{}'
  }
  const fault = findTextFault(raw)
  if (fault !== undefined) {
    complain(`raw_pricing_data${fault.pointer}`, fault.message)
    return '{}'
  }
  const json = JSON.stringify(otherProvider === undefined ? raw : { ...raw, provider: otherProvider })
  if (json.length > maxRawJsonLength) {
    complain('raw_pricing_data', `must not be longer than ${maxRawJsonLength} characters`)
  }
  return json
}
