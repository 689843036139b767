import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Offer } from '../../domain/offer.ts'
import { familyRates, type Rates } from '../../pricing/split.ts'

type RateKey = Pick<
  Offer,
  'provider' | 'family' | 'region' | 'operatingSystem' | 'usageType' | 'term' | 'zone'
>

/** A catalogue does not change, so neither do its rates; an old one takes its own with it. */
const kept = new WeakMap<Catalogue, Map<string, Rates | null>>()
const mostKept = 50_000

/** The core and GiB rates of a family where its prices there determine them. */
export function familyRatesIn(catalogue: Catalogue, at: RateKey): Rates | null {
  if (at.family === '') return null
  let rates = kept.get(catalogue)
  if (rates === undefined || rates.size >= mostKept) {
    rates = new Map()
    kept.set(catalogue, rates)
  }
  const key = `${at.provider}\n${at.family}\n${at.region}\n${at.operatingSystem}\n${at.usageType}\n${at.term}\n${at.zone}`
  let found = rates.get(key)
  if (found === undefined) {
    found = familyRates(catalogue.familyOffers(at))
    rates.set(key, found)
  }
  return found
}
