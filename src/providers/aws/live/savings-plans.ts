import type { OperatingSystem, Term } from '../../../domain/offer.ts'
import type { notModified, Sources } from '../../fetching/http/sources.ts'
import { isPrice, numberOf, objectOf, textOf } from '../../fetching/importer.ts'
import type { Path, SkimAction } from '../../fetching/json/skim.ts'
import type { PriceSheet } from '../../fetching/price-sheet.ts'
import { PriceListPass, readInPasses } from './passes.ts'

const maxBytes = 2 * 1024 ** 3

export function readSavingsPlans(
  sources: Sources,
  url: string,
  region: string,
): Promise<PriceSheet | typeof notModified> {
  return readInPasses<Term>(sources, { url, maxBytes }, (before) => new SavingsPlanPass(region, before))
}

/**
 * products[] are the plans, terms.savingsPlan[] their rates: {sku, ..., rates: [{discountedUsageType, ...}]}.
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-an-offer.html
 */
class SavingsPlanPass extends PriceListPass<Term> {
  /** The plan whose term is being read; undefined until its sku is seen. */
  #plan: string | undefined

  action(path: Path): SkimAction {
    const [section, kind, , member] = path
    if (path.length === 0) return 'enter'
    if (section === 'publicationDate') return 'take'
    if (section === 'products') return path.length === 1 ? (this.isSecond ? 'skip' : 'enter') : 'take'
    if (section !== 'terms') return 'skip'
    if (path.length === 1) {
      this.tooEarly = !this.isSecond && (this.products.size === 0 || this.day === undefined)
      return this.tooEarly ? 'skip' : 'enter'
    }
    if (kind !== 'savingsPlan') return 'skip'
    if (path.length === 3) this.#plan = undefined
    if (path.length <= 3) return 'enter'
    if (path.length === 4) {
      if (member === 'sku') return 'take'
      if (member !== 'rates') return 'skip'
      // A rate also names its plan in its code, in case the plan's sku comes after its rates.
      return this.#plan === undefined || this.products.has(this.#plan) ? 'enter' : 'skip'
    }
    return 'take'
  }

  worth(bytes: Buffer, path: Path): boolean {
    return path.length < 5 || bytes.includes('BoxUsage:')
  }

  take(path: Path, value: unknown): void {
    if (path[0] === 'publicationDate') this.day = textOf(value).slice(0, 10)
    else if (path[0] === 'products') this.#product(value)
    else if (path.length === 4) this.#plan = textOf(value)
    else this.#rate(value)
  }

  #product(value: unknown): void {
    const product = objectOf(value)
    const { purchaseOption, purchaseTerm } = objectOf(product.attributes)
    const years = /^([13])yr$/.exec(textOf(purchaseTerm))?.[1]
    this.sheet.rows++
    if (textOf(product.productFamily) !== 'ComputeSavingsPlans' || years === undefined) return
    if (textOf(purchaseOption) === 'No Upfront')
      this.products.set(textOf(product.sku), `${years}y-savings-plan` as Term)
  }

  #rate(value: unknown): void {
    const rate = objectOf(value)
    const rateCode = textOf(rate.rateCode)
    const term = this.products.get(this.#plan ?? rateCode.split('.')[0]!)
    if (term === undefined || textOf(rate.discountedServiceCode) !== 'AmazonEC2') return
    const instanceType = /(?:^|-)BoxUsage:([a-z0-9-]+\.[a-z0-9-]+)$/.exec(
      textOf(rate.discountedUsageType),
    )?.[1]
    const operatingSystem = operations.get(textOf(rate.discountedOperation))
    const at = textOf(rate.discountedRegionCode)
    if (instanceType === undefined || operatingSystem === undefined || (at !== '' && at !== this.region))
      return
    const { price, currency } = objectOf(rate.discountedRate)
    const pricePerHourUsd = numberOf(price)
    if (!isPrice(pricePerHourUsd) || textOf(currency) !== 'USD') {
      this.sheet.drop('price is not a positive number of US dollars', `${this.region} ${rateCode}`)
      return
    }
    this.sheet.add({
      region: this.region,
      zone: '',
      instanceType,
      operatingSystem,
      usageType: 'RESERVED',
      term,
      pricePerHourUsd,
      machine: null,
      monthlyCapUsd: null,
      source: 'AWS Compute Savings Plans, no upfront',
      day: this.day ?? '',
      skuIds: [textOf(rate.discountedSku), rateCode],
    })
  }
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/billing-info-fields.html */
const operations = new Map<string, OperatingSystem>([
  ['RunInstances', 'Linux'],
  ['RunInstances:0002', 'Windows'],
])
