import { expect, test } from 'vitest'
import { buildResult } from '../../pricing/answer.ts'
import { offer } from '../../pricing/offer.case.ts'
import { difference, dollars } from './figures.ts'
import { renderRecommendations } from './recommend.ts'

const facts = { displayName: () => 'North', ratesOf: () => null }
const current = offer({ instanceType: 'now.large', pricePerHourUsd: 0.192 })
const vm = { vcpus: 2, ramGib: 4 }

test('a table', () => {
  const found = [
    { instanceType: 'small', offers: [offer({ instanceType: 'small', pricePerHourUsd: 0.0625 })] },
    {
      instanceType: 'b',
      offers: [offer({ instanceType: 'b', pricePerHourUsd: 0.1, vcpus: 16, ramGib: 3.75 })],
    },
  ]
  expect(renderRecommendations(buildResult(current, vm, found, facts))).toBe(
    `Now: now.large at North n-1 (Linux, ONDEMAND) for $0.192000 an hour.

TYPE   PROVIDER  REGION  USAGE TYPE  CORES   GIB   PER HOUR  SAVES  A MONTH     A YEAR
small  North     n-1     ONDEMAND        2     4  $0.062500  67.4%   $94.53  $1,134.42
b      North     n-1     ONDEMAND       16  3.75  $0.100000  47.9%   $67.16    $805.92
`,
  )
})

test('zones where there are any, and names that a terminal would obey', () => {
  const spot = offer({ instanceType: 'a\u001b[2Jb', zone: 'n-1a', usageType: 'SPOT_PREEMPTIBLE' })
  const text = renderRecommendations(buildResult(current, vm, [{ instanceType: 'x', offers: [spot] }], facts))
  expect(text).toContain('ZONE')
  expect(text).toContain('n-1a')
  expect(text).not.toContain('\u001b')
})

test('nothing cheaper', () => {
  expect(renderRecommendations(buildResult(current, vm, [], facts))).toBe(
    'Now: now.large at North n-1 (Linux, ONDEMAND) for $0.192000 an hour.\nNothing that holds its usage and passes the filters costs less.\n',
  )
})

test.each([
  [0, '$0.00', '$0.00'],
  [1234567.891, '$1,234,567.89', '+$1,234,567.89'],
  [-999.999, '-$1,000.00', '-$1,000.00'],
  [-0.001, '$0.00', '$0.00'],
])('%d', (amount, plain, signed) => {
  expect([dollars(amount), difference(amount)]).toEqual([plain, signed])
})
