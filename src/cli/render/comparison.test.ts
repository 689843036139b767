import { afterAll, beforeAll, expect, test } from 'vitest'
import { dollars } from '../../domain/money.ts'
import { orProblem } from '../../domain/not-found.ts'
import { compareMachine } from '../../pricing/compare/compare-machine.ts'
import type { Effort } from '../../pricing/compare/comparison.ts'
import { openTestMarket, request, type TestMarket } from '../../pricing/test-market.case.ts'
import { renderComparison } from './comparison.ts'
import { difference } from './figures.ts'

let fakeCatalogue: TestMarket
beforeAll(async () => {
  fakeCatalogue = await openTestMarket()
})
afterAll(() => fakeCatalogue.close())

async function rendered(today: string, ...efforts: Effort[]): Promise<string> {
  const comparison = orProblem(await compareMachine(fakeCatalogue.pricing, 'acme', request(), today))
  return renderComparison(comparison, { efforts: new Set(['resize', ...efforts]), withCarbon: false })
}

test('renders the machine, a table per option, hidden options, and what was left out', async () => {
  const text = await rendered('2026-11-15')
  expect(text).toContain(
    'Now: m5.xlarge at AWS us-east-1 (Linux, ONDEMAND) for $0.192000 an hour, $140.16 a month (price of 2026-11-01): 4 cores, 16 GiB',
  )
  expect(text).toContain('RESIZE  The same provider, region and way of paying')
  expect(text).toMatch(/m5\.large +AWS +us-east-1 +on demand +2 +8 +1\.00x +\$0\.096000 +50\.0% /)
  expect(text).toContain('--commit shows more: from $0.090000 an hour (m5.xlarge, 3y), saves 53.1%.')
  expect(text).toContain(
    'It uses 1.5 cores and 6 GiB and, with headroom, needs 1.875 cores of this speed and 7.5 GiB.',
  )
  expect(text).toMatch(
    /cheaper prices are not comparable: .*, 1 of another architecture .*, 1 burstable with a baseline below the usage/,
  )
  expect(text).not.toContain('SPOT  ')
})

test('a month that costs less than 730 hours is explained where it occurs', async () => {
  const explanation = 'A month costs less than 730 hours if'
  expect(await rendered('2026-11-15')).not.toContain(explanation)
  expect(await rendered('2026-11-15', 'provider')).toContain(explanation)
})

test('efforts without any price in a region are reported as such, not as more expensive', async () => {
  const machine = {
    provider: 'azure',
    service: '',
    region: 'eastus',
    availability_zone: '',
    instance_type: 'Standard_D2s_v5',
    vm: { cpu_cores: 2, ram_gb: 8 },
  }
  const comparison = orProblem(
    await compareMachine(fakeCatalogue.pricing, 'acme', request(machine), '2026-11-15'),
  )
  expect(comparison.unpriced_efforts).toEqual(['commit', 'spot'])
  const text = renderComparison(comparison, { efforts: new Set(['commit', 'spot']), withCarbon: false })
  expect(text).toContain('--commit: no commitment prices of Azure in eastus are known.')
  expect(text).toContain('--spot: no spot prices of Azure in eastus are known.')
  const spot = request({ usage_type: 'spot' })
  const priced = orProblem(await compareMachine(fakeCatalogue.pricing, 'acme', spot, '2026-11-15'))
  expect(priced.unpriced_efforts).toEqual([])
})

test('a change of payment that was requested is shown', async () => {
  const asked = request({ predicates: { usage_types: ['spot'] } })
  const comparison = orProblem(await compareMachine(fakeCatalogue.pricing, 'acme', asked, '2026-11-15'))
  const text = renderComparison(comparison, { efforts: new Set(['resize', 'spot']), withCarbon: false })
  expect(text).toContain('RESIZE  The same provider and region; another size, type or way of paying.')
  expect(text).toMatch(/m5\.xlarge .* spot .* another way of paying\n/)
})

test('a burstable machine is compared at its baseline, in speed and in changes', async () => {
  const burstable = request({
    instance_type: 't3.large',
    vm: { cpu_cores: 2, ram_gb: 8 },
    usage: { cpu_cores: 0.6, ram_gb: 6 },
  })
  const comparison = orProblem(await compareMachine(fakeCatalogue.pricing, 'acme', burstable, '2026-11-15'))
  expect(comparison.current.notes).toEqual([
    'Its vCPUs are burstable: speeds are compared at their baseline, 30% of each vCPU.',
  ])
  const candidates = comparison.options.flatMap(({ offers }) => offers)
  expect(candidates).not.toEqual([])
  for (const { machine } of candidates)
    if (machine.performance)
      expect(machine.changes?.includes('slower-cores')).toBe(machine.performance.ratio < 0.95)
})

test('one core is singular, and the speed of burstable candidates is explained', async () => {
  const small = request({ usage: { cpu_cores: 0.5, ram_gb: 6 }, target_utilisation: { cpu: 0.5 } })
  const comparison = orProblem(await compareMachine(fakeCatalogue.pricing, 'acme', small, '2026-11-15'))
  const text = renderComparison(comparison, { efforts: new Set(['resize']), withCarbon: false })
  expect(text).toContain('It uses 0.5 cores and 6 GiB and, with headroom, needs 1 core of this speed')
  expect(text).toMatch(/t3\.large .* burstable vCPUs/)
  expect(text).toContain('The speed of burstable vCPUs is that of the share they sustain')
  expect(await rendered('2026-11-15', 'resize')).not.toContain('The speed of burstable vCPUs')
})

test('terms and days: old prices and indicative ones are marked', async () => {
  const text = await rendered('2027-03-01', 'commit', 'spot')
  expect(text).toMatch(/m5\.xlarge .* 3y .* 2026-11-01 !/)
  expect(text).toMatch(/m5\.xlarge .* spot.* 2026-11-01 ~/)
  expect(text).toContain('! The price is older than 60 days')
  expect(text).toContain('~ The spot price is older than 7 days and only indicative.')
})

test.each([
  [0, '$0.00', '$0.00'],
  [1234567.891, '$1,234,567.89', '+$1,234,567.89'],
  [-999.999, '-$1,000.00', '-$1,000.00'],
  [-0.001, '$0.00', '$0.00'],
])('%d', (amount, plain, signed) => {
  expect([dollars(amount), difference(amount)]).toEqual([plain, signed])
})
