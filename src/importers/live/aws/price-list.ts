import { notModified, type SourceRequest, type Sources } from '../fetching/sources.ts'
import type { Path, Skimming, Wish } from '../json/skim.ts'
import { skimStream } from '../json/skim-stream.ts'
import { type LivePrice, PriceSheet } from '../price-sheet.ts'
import { textOf } from '../shape.ts'
import { type AwsProduct, maybeProduct, readProduct } from './product.ts'
import { type AwsRate, onDemandRate, reservedRates } from './terms.ts'

/** The largest region's file was near 500 MB when this was written. */
const mostBytes = 4 * 1024 ** 3

/** On-demand and reserved prices of one region's file. */
export async function readPriceList(
  sources: Sources,
  url: string,
  region: string,
): Promise<PriceSheet | typeof notModified> {
  const request: SourceRequest = { url, conditional: true, mostBytes }
  const first = await sources.read(request, async (chunks) => {
    const reading = new PriceListReading(region)
    await skimStream(chunks, url, reading)
    return reading
  })
  if (first === notModified || !first.termsCameFirst) return first === notModified ? first : first.finish()
  // Terms came before the products they belong to: a second look, now that the products are known, holds no more of it.
  const again = await sources.read({ ...request, conditional: false }, async (chunks) => {
    const reading = new PriceListReading(region, first.products)
    await skimStream(chunks, url, reading)
    return reading
  })
  return again === notModified ? again : again.finish()
}

/** Collects products, then the terms of those alone; nothing else of the file is parsed. */
export class PriceListReading implements Skimming {
  readonly products: Map<string, AwsProduct>
  readonly #region: string
  readonly #knewProducts: boolean
  readonly #sheet = new PriceSheet()
  readonly #rates: { product: AwsProduct; rate: AwsRate }[] = []
  #published = ''
  #sawProducts = false
  termsCameFirst = false

  constructor(region: string, products?: Map<string, AwsProduct>) {
    this.#region = region
    this.products = products ?? new Map()
    this.#knewProducts = products !== undefined
  }

  wish(path: Path): Wish {
    const [section, kind] = path
    if (path.length === 0) return 'enter'
    if (path.length === 1) {
      if (section === 'publicationDate') return 'take'
      if (section === 'products') return this.#knewProducts ? 'skip' : 'enter'
      if (section !== 'terms') return 'skip'
      this.termsCameFirst = !this.#sawProducts && !this.#knewProducts
      return this.termsCameFirst ? 'skip' : 'enter'
    }
    if (section === 'products') return 'take'
    if (path.length === 2) return kind === 'OnDemand' || kind === 'Reserved' ? 'enter' : 'skip'
    return this.products.has(path[2] as string) ? 'take' : 'skip'
  }

  worth(bytes: Buffer, [section]: Path): boolean {
    if (section !== 'products') return true
    this.#sawProducts = true
    this.#sheet.rows++
    return maybeProduct(bytes)
  }

  take(path: Path, value: unknown): void {
    if (path[0] === 'publicationDate') this.#published = textOf(value)
    else if (path[0] === 'products') this.#product(path[1] as string, value)
    else {
      const product = this.products.get(path[2] as string)!
      const rates = path[1] === 'OnDemand' ? [onDemandRate(value)] : reservedRates(value)
      for (const rate of rates) if (rate !== undefined) this.#rates.push({ product, rate })
    }
  }

  /** Products come in the order of their SKUs, which says nothing; prices come sorted by type. */
  finish(): PriceSheet {
    const day = /^\d{4}-\d\d-\d\d/.exec(this.#published)?.[0] ?? ''
    const prices = this.#rates.map(({ product, rate }) => priceOf(this.#region, product, rate, day))
    prices.sort((a, b) => (a.instanceType < b.instanceType ? -1 : a.instanceType > b.instanceType ? 1 : 0))
    for (const price of prices) this.#sheet.add(price)
    return this.#sheet
  }

  #product(sku: string, value: unknown): void {
    const product = readProduct(sku, value, this.#region)
    if (typeof product !== 'string') this.products.set(sku, product)
    else if (product !== '') this.#sheet.drop(product, `${this.#region} ${sku}`)
  }
}

function priceOf(region: string, product: AwsProduct, rate: AwsRate, day: string): LivePrice {
  const reserved = rate.term !== ''
  return {
    region,
    zone: '',
    instanceType: product.instanceType,
    operatingSystem: product.operatingSystem,
    usageType: reserved ? 'RESERVED' : 'ONDEMAND',
    term: rate.term,
    pricePerHourUsd: rate.pricePerHourUsd,
    machine: product.machine,
    monthlyCapUsd: null,
    source: reserved ? `AWS Price List, reserved, ${rate.payment}` : 'AWS Price List',
    day,
    skuIds: rate.rateCode === '' ? [product.sku] : [product.sku, rate.rateCode],
  }
}
