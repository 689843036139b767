import { expect, test } from 'vitest'
import { awsProvider } from './aws/provider.ts'
import { gcpProvider } from './gcp/provider.ts'
import { sustainedUseCapUsd } from './sustained-use.ts'

const price = { operatingSystem: 'Linux', usageType: 'ONDEMAND', pricePerHourUsd: 1 } as const

test.each([
  ['n1-standard-8', 511],
  ['custom-4-10240', 511],
  ['m1-ultramem-40', 511],
  ['f1-micro', 511],
  ['n2-standard-8', 584],
  ['n2d-custom-4-10240', 584],
  ['c2-standard-8', 584],
  ['e2-standard-8', null],
  ['c2d-standard-8', null],
  ['n4-standard-8', null],
  ['t2d-standard-8', null],
  ['a2-highgpu-1g', null],
])('a month of %s at $1 an hour costs at most %j', (instanceType, expected) => {
  expect(sustainedUseCapUsd(gcpProvider, { ...price, instanceType })).toBe(expected)
})

test.each([
  { usageType: 'SPOT_PREEMPTIBLE' },
  { usageType: 'RESERVED' },
  { operatingSystem: 'Windows' },
] as const)('prices with %j have no discount for sustained use', (other) => {
  expect(sustainedUseCapUsd(gcpProvider, { ...price, ...other, instanceType: 'n1-standard-8' })).toBeNull()
})

test('other providers have none', () => {
  expect(sustainedUseCapUsd(awsProvider, { ...price, instanceType: 'm5.large' })).toBeNull()
})
