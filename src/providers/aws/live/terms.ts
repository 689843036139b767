import type { Term } from '../../../domain/offer.ts'
import { isPrice, numberOf, objectOf, textOf } from '../../fetching/importer.ts'

export interface AwsRate {
  readonly term: Term
  readonly pricePerHourUsd: number
  readonly payment: Payment
  readonly rateCode: string
}

/** In the order in which a reserved price is chosen: what is paid by the hour comes closest to an hourly price. */
const payments = ['no upfront', 'partial upfront', 'all upfront'] as const
type Payment = 'on demand' | (typeof payments)[number]

/** Returns the on-demand rate of terms.OnDemand.<sku>; undefined if it has no valid price. */
export function onDemandRate(value: unknown): AwsRate | undefined {
  for (const offer of Object.values(objectOf(value))) {
    for (const dimension of dimensionsOf(offer)) {
      const pricePerHourUsd = usdOf(dimension)
      if (textOf(dimension.unit) === 'Hrs' && isPrice(pricePerHourUsd))
        return { term: '', pricePerHourUsd, payment: 'on demand', rateCode: textOf(dimension.rateCode) }
    }
  }
  return undefined
}

/** For each term, without upfront payment if that is sold, else with the upfront payment spread over the hours. */
export function reservedRates(value: unknown): AwsRate[] {
  const best = new Map<Term, AwsRate>()
  for (const offer of Object.values(objectOf(value))) {
    const rate = reservedRate(offer)
    const other = rate && best.get(rate.term)
    if (rate !== undefined && (other === undefined || rank(rate) < rank(other))) best.set(rate.term, rate)
  }
  return [...best.values()]
}

const rank = ({ payment }: AwsRate): number => (payments as readonly string[]).indexOf(payment)

function reservedRate(offer: unknown): AwsRate | undefined {
  const terms = objectOf(objectOf(offer).termAttributes)
  const years = /^([13])yr$/.exec(textOf(terms.LeaseContractLength))?.[1]
  const convertible = textOf(terms.OfferingClass) === 'convertible'
  const payment = payments.find((name) => name === textOf(terms.PurchaseOption).toLowerCase())
  if (years === undefined || payment === undefined) return undefined
  let hourly = 0
  let upfront = 0
  let rateCode = ''
  for (const dimension of dimensionsOf(offer)) {
    const usd = usdOf(dimension)
    if (!Number.isFinite(usd) || usd < 0) return undefined
    if (textOf(dimension.unit) === 'Hrs') {
      hourly += usd
      rateCode = textOf(dimension.rateCode)
    } else upfront += usd
  }
  // 1,000 upfront for one year is 1,000 / 8,760 = 0.114155 an hour.
  const pricePerHourUsd = hourly + upfront / (Number(years) * hoursPerYear)
  if (!isPrice(pricePerHourUsd)) return undefined
  const term = `${years}y${convertible ? '-convertible' : ''}` as Term
  return { term, pricePerHourUsd, payment, rateCode }
}

const hoursPerYear = 8_760

function dimensionsOf(offer: unknown): Readonly<Record<string, unknown>>[] {
  return Object.values(objectOf(objectOf(offer).priceDimensions)).map(objectOf)
}

const usdOf = (dimension: Readonly<Record<string, unknown>>): number =>
  numberOf(objectOf(dimension.pricePerUnit).USD)
