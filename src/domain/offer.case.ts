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

/** An on-demand price of an AWS type with 4 vCPUs and 16 GiB. */
export const awsOffer = (instanceType: string, pricePerHourUsd: number, over: Partial<Offer> = {}): Offer =>
  offer({
    provider: 'aws',
    service: 'AmazonEC2',
    region: 'us-east-1',
    family: '',
    instanceType,
    vcpus: 4,
    ramGib: 16,
    pricePerHourUsd,
    ...over,
  })
