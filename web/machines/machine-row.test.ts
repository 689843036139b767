import { expect, test } from 'vitest'
import type { Option } from '../compare/candidates.ts'
import { bestOption, machineSaid } from './machine-row.ts'
import type { Metadata } from './questions.ts'

const option = (effort: Option['effort'], ...costs: number[]): Option =>
  ({ effort, why: '', offers: costs.map((cost_per_month) => ({ cost_per_month })) }) as unknown as Option

test('savings of a machine are those without a commitment and without spot', () => {
  const best = bestOption([
    option('resize', 50),
    option('provider', 40, 30),
    option('commit', 5),
    option('spot', 1),
  ])
  expect([best?.effort, best?.offer.cost_per_month]).toEqual(['provider', 30])
  expect(bestOption([option('spot', 1)])).toBeUndefined()
})

test('a machine says what it is, as far as that is known', () => {
  const metadata = { provider: 'aws', instanceType: 'm5.xlarge', region: 'us-east-1', availabilityZone: '' }
  expect(machineSaid(metadata as Metadata)).toBe('aws m5.xlarge, us-east-1')
  expect(machineSaid({ ...metadata, provider: '', instanceType: '', region: '' } as Metadata)).toBe(
    'provider and type not reported',
  )
  expect(machineSaid(undefined)).toBe('provider and type not reported')
})
