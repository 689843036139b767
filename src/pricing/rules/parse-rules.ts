import { parseOperatingSystem, parseUsageType } from '../../domain/names.ts'
import type { OperatingSystem, UsageType } from '../../domain/offer.ts'
import type { FieldError } from '../../domain/problem.ts'
import type { Provider } from '../../domain/provider.ts'
import type { PriceRule, PriceRuleChange } from './price-rule.ts'
import type { PriceRuleInput } from './schema.ts'

/** What names mean. `operating_system: ubuntu` is Linux here as everywhere. */
interface ProviderNames {
  readonly providers: readonly Provider[]
  findProvider(name: string): Provider | undefined
}

/** Parses rules that have the shape of the schema. Faults are added to `errors`, and their rules left out. */
export function parsePriceRules(
  inputs: readonly PriceRuleInput[],
  names: ProviderNames,
  errors: FieldError[],
): PriceRule[] {
  const rules: PriceRule[] = []
  const seen = new Set<string>()
  for (const [index, input] of inputs.entries()) {
    const before = errors.length
    const wrong = (member: string, message: string): undefined => {
      errors.push({ pointer: `/rules/${index}${member}`, message })
    }
    if (seen.has(input.name)) wrong('/name', 'must not be the name of an earlier rule')
    seen.add(input.name)
    const rule = parseRule(input, names, wrong)
    if (errors.length === before) rules.push(rule)
  }
  return rules
}

type Wrong = (member: string, message: string) => undefined

function parseRule(input: PriceRuleInput, names: ProviderNames, wrong: Wrong): PriceRule {
  const { valid_from: validFrom, valid_until: validUntil } = input
  for (const [member, day] of Object.entries({ valid_from: validFrom, valid_until: validUntil }))
    if (day !== undefined && !isDay(day)) wrong(`/${member}`, 'must be a day such as 2026-12-31')
  if (validFrom !== undefined && validUntil !== undefined && validUntil < validFrom)
    wrong('/valid_until', 'must not be before valid_from')
  return {
    name: input.name,
    provider: providerPattern(input.provider, names, wrong),
    region: input.region?.toLowerCase(),
    family: input.family?.toLowerCase(),
    instanceType: input.instance_type?.toLowerCase(),
    usageType: usageTypeOf(input.usage_type, wrong),
    operatingSystem: operatingSystemOf(input.operating_system, wrong),
    change: changeOf(input, wrong) ?? { kind: 'add', perHourUsd: 0 },
    validFrom,
    validUntil,
  }
}

function providerPattern(
  name: string | undefined,
  { providers, findProvider }: ProviderNames,
  wrong: Wrong,
): string | undefined {
  if (name === undefined || name.includes('*')) return name?.toLowerCase()
  const found = findProvider(name)
  const known = providers.map(({ key }) => key)
  return found?.key ?? wrong('/provider', `must be one of ${known.join(', ')}, or a pattern with *`)
}

function usageTypeOf(name: string | undefined, wrong: Wrong): UsageType | undefined {
  if (name === undefined || name === '*') return undefined
  return parseUsageType(name) ?? wrong('/usage_type', 'must be ONDEMAND, RESERVED or SPOT_PREEMPTIBLE')
}

function operatingSystemOf(name: string | undefined, wrong: Wrong): OperatingSystem | undefined {
  if (name === undefined || name === '*') return undefined
  return parseOperatingSystem(name) ?? wrong('/operating_system', 'must be Linux or Windows')
}

function changeOf(
  { percent_off, price_per_hour_usd, add_per_hour_usd }: PriceRuleInput,
  wrong: Wrong,
): PriceRuleChange | undefined {
  const given = [percent_off, price_per_hour_usd, add_per_hour_usd].filter((value) => value !== undefined)
  if (given.length !== 1)
    return wrong('', 'must have exactly one of percent_off, price_per_hour_usd, add_per_hour_usd')
  if (percent_off !== undefined) return { kind: 'percent', percentOff: percent_off }
  if (price_per_hour_usd !== undefined) return { kind: 'price', perHourUsd: price_per_hour_usd }
  return { kind: 'add', perHourUsd: add_per_hour_usd! }
}

const isDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day
