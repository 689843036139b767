import type { ExchangeRate } from '../../domain/manifest.ts'
import { addressWithoutQuery, ImportFailure } from './fetching/failure.ts'
import type { Sources } from './fetching/sources.ts'

export const exchangeEndpoint = 'https://www.ecb.europa.eu'

/** Rates outside these bounds are a mistake of somebody, and every converted price would be one. */
const plausible = { EUR: [0.5, 2] } as const

/** The European Central Bank's reference rate of the latest working day: US dollars for one euro. */
export async function readExchangeRate(sources: Sources, base: string, from: string): Promise<ExchangeRate> {
  const url = `${base}/stats/eurofxref/eurofxref-daily.xml`
  if (from === 'USD') return { from, to: 'USD', rate: 1, day: '', source: 'itself' }
  if (from !== 'EUR') throw new ImportFailure('malformed', `there is no exchange rate for ${from}`)
  const rate = await sources.whole({ url }, (xml) => rateIn(xml, from, url))
  if (typeof rate === 'symbol')
    throw new ImportFailure('malformed', `${addressWithoutQuery(url)} states nothing`)
  return rate
}

function rateIn(xml: string, from: 'EUR', url: string): ExchangeRate {
  if (!/<\/(\w+:)?Envelope>\s*$/.test(xml)) {
    const cut = /<(\w+:)?Envelope/.test(xml)
    throw new ImportFailure(
      cut ? 'truncated' : 'malformed',
      `${addressWithoutQuery(url)} is ${cut ? 'cut off' : 'not a list of rates'}`,
    )
  }
  const day = /<Cube\s+time=['"](\d{4}-\d\d-\d\d)['"]/.exec(xml)?.[1]
  const rate = Number(/<Cube\s+currency=['"]USD['"]\s+rate=['"]([\d.]+)['"]/.exec(xml)?.[1] ?? Number.NaN)
  const [least, most] = plausible[from]
  if (day === undefined || !(rate >= least && rate <= most))
    throw new ImportFailure(
      'malformed',
      `${addressWithoutQuery(url)} states no plausible rate of the US dollar`,
    )
  return { from, to: 'USD', rate, day, source: 'ECB euro foreign exchange reference rate' }
}

/** Eight digits after the point, as the price facts have: 0.0071 x 1.1567 = 0.00821257. */
export const convert = (amount: number, { rate }: ExchangeRate): number => Number((amount * rate).toFixed(8))
