import type { Offer } from './offer.ts'

/** An offer for tests: a plain Linux machine. A test gives only the members that matter to it. */
export const offer = (over: Partial<Offer> = {}): Offer => ({
  provider: 'north',
  service: 'NorthCompute',
  region: 'n-1',
  zone: '',
  instanceType: 'n.small',
  ...{
    operatingSystem: 'Linux',
    usageType: 'ONDEMAND',
    term: '',
    vcpus: 2,
    ramGib: 4,
    architecture: 'x86_64',
  },
  gpuCount: 0,
  gpuName: '',
  pricePerHourUsd: 0.0625,
  monthlyCapUsd: null,
  burstableBaseline: null,
  family: 'n',
  source: 'list',
  day: '2026-11-01',
  ...over,
})
