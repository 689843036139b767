import { shippedDisks } from '../../../catalogue/shipped-facts.ts'
import type { DiskOffer } from '../../../domain/disk.ts'
import { dollars, hoursPerMonth, roundSum } from '../../../domain/money.ts'
import { NotFound } from '../../../domain/not-found.ts'
import type { PlannedDisk } from '../../../domain/planned-instance.ts'
import { cheaperDisks, currentDisk, diskNeed, withOwnPrices } from '../../disks/cheaper-disks.ts'
import type { PricedDisk } from '../../disks/disk-price.ts'
import { findDisk } from '../../disks/find-disk.ts'
import type { PricingDeps } from '../../market.ts'
import type { CheaperDisk, PricedCharge } from './schema.ts'

interface PricedDisks {
  readonly charges: readonly PricedCharge[]
  readonly unpriced: readonly string[]
  readonly cheaper: readonly CheaperDisk[]
}

/** Prices the disks of a plan, at own prices of their type where there are some. Equal disks are looked up once. */
export class DiskPricer {
  readonly #deps: PricingDeps
  readonly #own: readonly DiskOffer[]
  readonly #found = new Map<string, PricedDisk | NotFound>()

  constructor(deps: PricingDeps, own: readonly DiskOffer[] = []) {
    this.#deps = deps
    this.#own = own
  }

  price(disks: readonly PlannedDisk[]): PricedDisks {
    const charges: PricedCharge[] = []
    const unpriced = new Set<string>()
    const cheaper: CheaperDisk[] = []
    for (const disk of disks) {
      const found = this.#found.getOrInsertComputed(JSON.stringify(disk), () => this.#find(disk))
      if (found instanceof NotFound) {
        unpriced.add(found.reason)
        continue
      }
      charges.push(this.#chargeOf(disk, found))
      cheaper.push(...this.#cheaperThan(disk, found))
    }
    return { charges, unpriced: [...unpriced], cheaper }
  }

  #chargeOf({ capacityGib, count }: PlannedDisk, { offer, pricePerHourUsd }: PricedDisk): PricedCharge {
    const { type, tier, region, provider, day, source, isEstimate } = offer
    return {
      name: `${type}${tier === '' ? '' : ` ${tier}`} ${capacityGib} GiB`,
      provider: this.#deps.findProvider(provider)?.displayName ?? provider,
      region,
      count,
      cost_per_month: roundSum(pricePerHourUsd * hoursPerMonth * count),
      price_day: day || null,
      source,
      is_estimate: isEstimate,
    }
  }

  #find(disk: PlannedDisk): PricedDisk | NotFound {
    const listed = findDisk(this.#deps, [], disk)
    if (listed instanceof NotFound) return listed
    return currentDisk(withOwnPrices([listed.offer], this.#own), disk) ?? listed
  }

  #cheaperThan({ capacityGib, count, isBoot }: PlannedDisk, current: PricedDisk): CheaperDisk[] {
    const { provider, region, type } = current.offer
    const here = withOwnPrices(shippedDisks(provider), this.#own).filter(
      (offer) => offer.region === region && !(isBoot && offer.traits.includes('data-only')),
    )
    const [best] = cheaperDisks(current, diskNeed(current, capacityGib, {}), here, () => false)
    if (best === undefined || best.offer.type === type) return []
    const savedUsd = (current.pricePerHourUsd - best.pricePerHourUsd) * hoursPerMonth
    const isDurable = ({ offer }: PricedDisk) => offer.traits.includes('durable')
    return [
      {
        replaces: `${type} ${capacityGib} GiB`,
        type: best.offer.type,
        count,
        cost_per_month: roundSum(best.pricePerHourUsd * hoursPerMonth * count),
        savings_per_month: roundSum(savedUsd * count),
        is_less_durable: isDurable(current) && !isDurable(best),
      },
    ]
  }
}

/** gp2 500 GiB: gp3 does the same for $10.00 a month less */
export const cheaperDiskText = ({
  replaces,
  type,
  count,
  savings_per_month: saved,
  is_less_durable,
}: CheaperDisk): string =>
  `${replaces}: ${type} does the same for ${dollars(saved / count)} a month less${is_less_durable ? ', but is less durable' : ''}`
