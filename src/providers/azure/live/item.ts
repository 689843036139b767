import type { OperatingSystem, Term, UsageType } from '../../../domain/offer.ts'
import { isPrice, listOf, numberOf, objectOf, textOf, type Unknown } from '../../fetching/importer.ts'

export interface AzurePrice {
  readonly region: string
  readonly instanceType: string
  readonly operatingSystem: OperatingSystem
  readonly usageType: UsageType
  readonly term: Term
  readonly pricePerHourUsd: number
  /** YYYY-MM-DD from which it applies. */
  readonly day: string
  readonly skuIds: readonly string[]
  /** If a machine has two prices, the one on the primary meter applies, then the later one. */
  readonly primary: boolean
}

/** Returns the prices of an item (its own, and those of its savings plans), or the reason why it has none. */
export function readItem(value: unknown, nowMs: number): AzurePrice[] | string {
  const item = objectOf(value)
  const instanceType = textOf(item.armSkuName)
  const region = textOf(item.armRegionName)
  const product = textOf(item.productName)
  const names = `${product} ${textOf(item.skuName)} ${textOf(item.meterName)}`
  if (instanceType === '' || region === '' || region === 'Global') return 'without a size or a region'
  if (/cloud ?services/i.test(product)) return 'Cloud Services'
  if (/low priority/i.test(names)) return 'Low Priority'
  if (/dedicated host/i.test(product) || !/^(Standard|Basic)_/i.test(instanceType))
    return 'not a machine size'
  if (/\bexpired\b/i.test(names)) return 'expired'
  if (textOf(item.currencyCode) !== 'USD') return 'not in US dollars'
  if (numberOf(item.tierMinimumUnits ?? 0) > 0) return 'a discount of a later tier'
  const notInForce = reasonNotInForce(item, nowMs)
  if (notInForce !== '') return notInForce
  const usage = usageOf(item, names)
  if (typeof usage === 'string') return usage
  const hours =
    usage.term === '' ? hoursOf(textOf(item.unitOfMeasure)) : yearsOf(item.reservationTerm) * 8_760
  const pricePerHourUsd = numberOf(item.retailPrice) / hours
  if (!isPrice(pricePerHourUsd)) return 'price is not a positive number'
  const operatingSystem: OperatingSystem = /\bwindows\b/i.test(product) ? 'Windows' : 'Linux'
  // A reservation pays only for the hardware, so it is not the price of a machine that includes a licence.
  if (usage.usageType === 'RESERVED' && operatingSystem === 'Windows')
    return 'reservation without its licence'
  const common = {
    region,
    instanceType,
    operatingSystem,
    day: textOf(item.effectiveStartDate).slice(0, 10),
    skuIds: [textOf(item.skuId), textOf(item.meterId)].filter((id) => id !== ''),
    primary: item.isPrimaryMeterRegion !== false,
  }
  const prices: AzurePrice[] = [{ ...common, ...usage, pricePerHourUsd }]
  if (usage.usageType !== 'ONDEMAND') return prices
  for (const plan of listOf(item.savingsPlan).map(objectOf)) {
    const years = yearsOf(plan.term)
    const rate = numberOf(plan.retailPrice) / hours
    if (!Number.isNaN(years) && isPrice(rate))
      prices.push({
        ...common,
        usageType: 'RESERVED',
        term: `${years}y-savings-plan` as Term,
        pricePerHourUsd: rate,
      })
  }
  return prices
}

function usageOf(item: Unknown, names: string): { usageType: UsageType; term: Term } | string {
  const type = textOf(item.type)
  if (type === 'Reservation') {
    const years = yearsOf(item.reservationTerm)
    return Number.isNaN(years)
      ? 'reservation of another term'
      : { usageType: 'RESERVED', term: `${years}y` as Term }
  }
  if (type !== 'Consumption') return 'neither consumption nor reservation'
  return { usageType: /\bspot\b/i.test(names) ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND', term: '' }
}

function reasonNotInForce(item: Unknown, nowMs: number): string {
  const from = Date.parse(textOf(item.effectiveStartDate))
  const until = Date.parse(textOf(item.effectiveEndDate))
  if (from > nowMs) return 'holds only later'
  return until < nowMs ? 'holds no longer' : ''
}

/** "1 Year", "3 Years"; NaN for others, such as "5 Years". */
function yearsOf(term: unknown): number {
  const years = Number(/^([13]) Years?$/.exec(textOf(term))?.[1])
  return Number.isNaN(years) ? Number.NaN : years
}

/** "1 Hour", "100 Hours", "1/Hour"; NaN for anything else. */
function hoursOf(unit: string): number {
  return Number(/^(\d+)[ /]Hours?$/.exec(unit)?.[1] ?? Number.NaN)
}
