import { expect, test } from 'vitest'
import { offer } from '../../domain/offer.case.ts'
import type { Offer } from '../../domain/offer.ts'
import { committedFirst } from './committed-first.ts'
import { fasterFirst } from './faster-first.ts'

const aws = (instanceType: string, pricePerHourUsd: number, more: Partial<Offer> = {}): Offer =>
  offer({ provider: 'aws', region: 'us-east-1', instanceType, pricePerHourUsd, ...more })

// Speeds relative to m5: m5a 0.91, m6a 1.43, m6i 1.29.
test.each<[string, Offer[], string[]]>([
  ['nothing', [], []],
  ['within a percent', [aws('m5a.large', 0.1), aws('m6a.large', 0.101)], ['m6a.large', 'm5a.large']],
  ['above a percent', [aws('m5a.large', 0.1), aws('m6a.large', 0.1011)], ['m5a.large', 'm6a.large']],
  [
    'the rest stays in order',
    [aws('m5a.large', 0.1), aws('m6i.large', 0.1), aws('c5.large', 0.11), aws('m6a.large', 0.12)],
    ['m6i.large', 'm5a.large', 'c5.large', 'm6a.large'],
  ],
  [
    'listed types of unknown speed come last, cheapest first',
    [aws('x99.large', 0.05), aws('x98.large', 0.04), aws('m5a.large', 0.1), aws('c5.large', 0.11)],
    ['m5a.large', 'c5.large', 'x98.large', 'x99.large'],
  ],
  [
    'the speed of registered machines counts as that of the current one',
    [aws('m5a.large', 0.1), aws('rack', 0.1, { source: 'marketplace' })],
    ['rack', 'm5a.large'],
  ],
  [
    'a month costs more than a percent more',
    [aws('m5a.large', 0.1, { monthlyCapUsd: 60 }), aws('m6a.large', 0.1)],
    ['m5a.large', 'm6a.large'],
  ],
])('the faster first: %s', (_, offers, expected) => {
  expect(fasterFirst(aws('m5.large', 0.2), offers).map(({ instanceType }) => instanceType)).toEqual(expected)
})

test('if the speed of the current machine is unknown, only the price counts', () => {
  const offers = [aws('m5a.large', 0.1), aws('x99.large', 0.05), aws('rack', 0.2, { source: 'marketplace' })]
  const names = fasterFirst(aws('x97.large', 0.2), offers).map(({ instanceType }) => instanceType)
  expect(names).toEqual(['x99.large', 'm5a.large', 'rack'])
})

test('what saves most while commitments last comes first, in the same order where it is nearly as much', () => {
  const saves: Record<string, number> = {
    'm6a.large': 50,
    'm5a.large': 50.3,
    'c5.large': 60,
    'x99.large': 70,
  }
  const committed = {
    examined: 10,
    saving: (target?: Offer) => ({
      commitments: ['sp'],
      until: '2027-01-01',
      saves_per_month: saves[target!.instanceType]!,
      saves_per_month_after: 80,
      stranded_per_month: null,
    }),
  }
  const named = (...names: string[]) => {
    const offers = names.map((name) => aws(name, 0.1))
    return committedFirst(aws('m5.large', 0.2), offers, committed).map(({ instanceType }) => instanceType)
  }
  expect(named('m6a.large', 'm5a.large')).toEqual(['m6a.large', 'm5a.large'])
  expect(named('m6a.large', 'm5a.large', 'c5.large')).toEqual(['c5.large', 'm5a.large', 'm6a.large'])
  // The speed of x99 is not known.
  expect(named('m6a.large', 'c5.large', 'x99.large')).toEqual(['c5.large', 'm6a.large', 'x99.large'])
})
