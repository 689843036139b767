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
  return {
    provider,
    service: findProvider(provider)!.service,
    region,
    zone: '',
    instanceType,
    operatingSystem: 'Linux',
    usageType: 'ONDEMAND',
    term: '',
    vcpus: 4,
    ramGib: 16,
    architecture: 'x86_64',
    gpuCount: 0,
    gpuName: '',
    pricePerHourUsd,
    monthlyCapUsd: null,
    burstableBaseline: null,
    family: '',
    source: 'before',
    day: '2026-08-01',
    ...more,
  }
}
