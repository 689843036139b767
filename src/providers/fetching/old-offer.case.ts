import { offer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import { findProvider } from '../providers.ts'

/** A price as it was before a refresh. */
export function oldOffer(
  provider: string,
  region: string,
  instanceType: string,
  pricePerHourUsd: number,
  more: Partial<Offer> = {},
): Offer {
  const { service } = findProvider(provider)!
  return offer({
    provider,
    service,
    region,
    instanceType,
    pricePerHourUsd,
    vcpus: 4,
    ramGib: 16,
    family: '',
    source: 'before',
    day: '2026-08-01',
    ...more,
  })
}
