import type { UsageType } from '../offer.ts'
import { memoizeNames } from './memoize-names.ts'

/** The usage type a caller means, in any letter case and with any of - _ / or blanks between words; undefined if none. */
export const parseUsageType = memoizeNames((name) => names.get(fold(name)))

const accepted: Record<UsageType, readonly string[]> = {
  // The name of a custom type tells that it is one, so its usage type need not.
  ONDEMAND: [
    'ondemand',
    'od',
    'pay as you go',
    'payg',
    'consumption',
    'standard',
    'regular',
    'ondemand custom',
    'custom',
    'extended',
  ],
  RESERVED: [
    'reserved',
    'reserved custom',
    'reserved instance',
    'reserved instances',
    'reservation',
    'ri',
    'committed',
    'committed use',
    'committed use discount',
    'commitment',
    'cud',
    'savings plan',
    'savings plans',
  ],
  SPOT_PREEMPTIBLE: [
    'spot preemptible',
    'spot preemptible custom',
    'spot',
    'spot instance',
    'spot instances',
    'spot vm',
    'preemptible',
    'preemptible vm',
    'low priority',
  ],
}

/** Usage types that clients know and no price list of ours has. */
export const isUnpricedUsageType = (name: string): boolean => fold(name) === 'soletenancy'

const fold = (name: string): string => name.toLowerCase().replace(/[\s_/-]+/g, '')

const names = new Map(
  Object.entries(accepted).flatMap(([usageType, list]) =>
    list.map((name) => [fold(name), usageType as UsageType] as const),
  ),
)
