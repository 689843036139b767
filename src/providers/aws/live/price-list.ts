import type { notModified, Sources } from '../../fetching/http/sources.ts'
import { textOf } from '../../fetching/importer.ts'
import type { Path, SkimAction } from '../../fetching/json/skim.ts'
import type { LivePrice, PriceSheet } from '../../fetching/price-sheet.ts'
import { PriceListPass, readInPasses } from './passes.ts'
import { type AwsProduct, maybeProduct, readProduct } from './product.ts'
import { type AwsRate, onDemandRate, reservedRates } from './terms.ts'

/** The largest region's file was near 500 MB when this was written. */
const maxBytes = 4 * 1024 ** 3

/** Reads the on-demand and reserved prices of one region's file. */
export function readPriceList(
  sources: Sources,
  url: string,
  region: string,
): Promise<PriceSheet | typeof notModified> {
  return readInPasses<AwsProduct>(sources, { url, maxBytes }, (before) => new PriceFilePass(region, before))
}

/** Collects products, then only their terms. Nothing else in the file is parsed. */
class PriceFilePass extends PriceListPass<AwsProduct> {
  action(path: Path): SkimAction {
    const [section, kind] = path
    if (path.length === 0) return 'enter'
    if (path.length === 1) {
      if (section === 'publicationDate') return 'take'
      if (section === 'products') return this.isSecond ? 'skip' : 'enter'
      if (section !== 'terms') return 'skip'
      this.tooEarly = !this.isSecond && (this.sheet.rows === 0 || this.day === undefined)
      return this.tooEarly ? 'skip' : 'enter'
    }
    if (section === 'products') return 'take'
    if (path.length === 2) return kind === 'OnDemand' || kind === 'Reserved' ? 'enter' : 'skip'
    return this.products.has(path[2] as string) ? 'take' : 'skip'
  }

  worth(bytes: Buffer, [section]: Path): boolean {
    if (section !== 'products') return true
    this.sheet.rows++
    return maybeProduct(bytes)
  }

  take(path: Path, value: unknown): void {
    if (path[0] === 'publicationDate') this.day = /^\d{4}-\d\d-\d\d/.exec(textOf(value))?.[0] ?? ''
    else if (path[0] === 'products') this.#product(path[1] as string, value)
    else {
      const product = this.products.get(path[2] as string)!
      const rates = path[1] === 'OnDemand' ? [onDemandRate(value)] : reservedRates(value)
      for (const rate of rates)
        if (rate !== undefined) this.sheet.add(priceOf(this.region, product, rate, this.day ?? ''))
    }
  }

  #product(sku: string, value: unknown): void {
    const product = readProduct(sku, value, this.region)
    if (typeof product !== 'string') this.products.set(sku, product)
    else if (product !== '') this.sheet.drop(product, `${this.region} ${sku}`)
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
