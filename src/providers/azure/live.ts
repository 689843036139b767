import { endlessPages, malformed } from '../fetching/http/failure.ts'
import type { Sources } from '../fetching/http/sources.ts'
import { type Importer, listOf, memberOf, objectOf, textOf } from '../fetching/importer.ts'
import { PriceSheet } from '../fetching/price-sheet.ts'
import { type AzurePrice, readItem } from './live/item.ts'
import { azureProvider as provider } from './provider.ts'
import { azureFill } from './sizes.ts'

export const azureImporter: Importer = {
  provider,
  isLarge: true, // hundreds of pages of some hundred kB
  currency: 'USD',
  endpoints: { prices: 'https://prices.azure.com' },
  needs: {
    credential: [],
    limits: 'pages of 1,000, several hundred of them; 429 asks for a minute of patience',
    peculiarities: [
      'reservations are totals of a term: divided by its hours, and for Linux alone, since the licence is not in them',
      'sizes are not in the list: they come from the last good prices and from the names',
      'Cloud Services and Low Priority are left out',
    ],
  },
  fill: azureFill,
  async read({ sources, endpoint, regions, now, day, onProgress }) {
    const sheet = new PriceSheet()
    const best = new Map<string, AzurePrice>()
    const query = new URLSearchParams({
      'api-version': '2023-01-01-preview',
      $filter: ["serviceName eq 'Virtual Machines'", ...inRegions(regions)].join(' and '),
    })
    const url = `${endpoint('prices')}/api/retail/prices?${query}`
    for await (const items of retailItems(sources, url, (page) => onProgress(`page ${page}`))) {
      for (const item of items) {
        sheet.rows++
        const prices = readItem(item, now())
        if (typeof prices === 'string') sheet.drop(prices, textOf(objectOf(item).meterId))
        else for (const price of prices) choose(best, price)
      }
    }
    if (best.size === 0) throw malformed(url, 'lists no price of a machine')
    for (const [, { primary: _, ...price }] of [...best].sort(([a], [b]) => (a < b ? -1 : 1)))
      sheet.add({
        ...price,
        zone: '',
        machine: null,
        monthlyCapUsd: null,
        source: 'Azure Retail Prices',
        day,
      })
    return sheet
  },
}

function inRegions(regions: ReadonlySet<string> | undefined): string[] {
  if (regions === undefined) return []
  const each = [...regions].sort().map((region) => `armRegionName eq '${region.replaceAll("'", "''")}'`)
  return [`(${each.join(' or ')})`]
}

/** Keeps the best price: several meters can have the same size, and a price can be listed beside its predecessor. */
function choose(best: Map<string, AzurePrice>, price: AzurePrice): void {
  const key = `${price.instanceType}\n${price.region}\n${price.operatingSystem}\n${price.usageType}\n${price.term}`
  const other = best.get(key)
  const rank = ({ primary, day }: AzurePrice): string => `${primary ? 1 : 0} ${day}`
  const better = other === undefined || rank(price) > rank(other)
  // If two prices have the same rank, the higher one is kept, because a discount for some customers is not a list price.
  if (better || (rank(price) === rank(other) && price.pricePerHourUsd > other.pricePerHourUsd))
    best.set(key, price)
}

const maxPages = 20_000

async function* retailItems(sources: Sources, first: string, onPage: (page: number) => void) {
  const { origin } = new URL(first)
  let url = first
  const seen = new Set<string>()
  for (let page = 1; url !== ''; page++) {
    if (seen.has(url) || page > maxPages) throw endlessPages(first)
    seen.add(url)
    // The service asks to wait a minute when it answers 429.
    const answer = await sources.json({ url, busyMs: 60_000 })
    const items = listOf(memberOf(answer, 'Items', url))
    onPage(page)
    yield items
    url = textOf(objectOf(answer).NextPageLink)
    if (url !== '' && new URL(url, first).origin !== origin) url = atOrigin(url, origin)
  }
}

/** Links contain the host of the service itself (with its port), even if it is reached through a mirror. */
function atOrigin(link: string, origin: string): string {
  const { pathname, search } = new URL(link)
  return origin + pathname + search
}
