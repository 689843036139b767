import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance, namesHolding, nearestNames, nearestOfAny } from './suggest.ts'

const types = [
  'm5.large',
  'm5.xlarge',
  'm5a.xlarge',
  'm6i.xlarge',
  'c5.xlarge',
  'Standard_D4s_v5',
  'Standard_D4s_v3',
]
const regions = ['us-east-1', 'us-east-2', 'us-west-1', 'eu-west-1', 'ap-southeast-2']

test('the nearest names come first', () => {
  nearest('m5.xlarg', types, ['m5.xlarge', 'm5.large', 'm5a.xlarge'])
  nearest('M5_XLARGE', types, ['m5.xlarge', 'm5.large', 'm5a.xlarge'])
  nearest('standard-d4s-v4', types, ['Standard_D4s_v3', 'Standard_D4s_v5'])
  nearest('us-esat-1', regions, ['us-east-1', 'us-east-2', 'us-west-1'])
  nearest('useast1', regions, ['us-east-1', 'us-east-2', 'us-west-1'])
  nearest('something else', regions, [])
  nearest('', [], [])
})

test('without close matches the nearest names are suggested, unless the name is empty', () => {
  expect(nearestOfAny('something else', regions, 2)).toEqual(['us-east-1', 'us-east-2'])
  expect(nearestOfAny('x'.repeat(500), types, 1)).toEqual(['c5.xlarge'])
  expect(nearestOfAny('', types, 3)).toEqual([])
  expect(nearestOfAny('nope', [], 3)).toEqual([])
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(fc.string(), { maxLength: 6 }), (name, names) => {
      const near = nearestNames(name, names, 3)
      if (name.trim() !== '') expect(nearestOfAny(name, names, 3).slice(0, near.length)).toEqual(near)
    }),
  )
})

test('the number of compared names is limited if they are many and long', () => {
  const long = (i: number) => `${i}-${'x'.repeat(120)}`
  const many = Array.from({ length: 200_000 }, (_, i) => long(i))
  for (const nearest of [nearestNames, nearestOfAny]) {
    expect(nearest(long(7), many, 1)).toEqual([long(7)])
    expect(nearest(long(199_999), many, 1)).not.toEqual([long(199_999)])
  }
  const short = Array.from({ length: 50_000 }, (_, i) => `m${i}`)
  expect(nearestNames('m5.xlarg', [...short, 'm5.xlarge'], 1)).toEqual(['m5.xlarge'])
})

test('the distance equals that of a step-by-step computation', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
  fc.assert(
    fc.property(word, word, fc.nat(7), (a, b, limit) => {
      const exact = slowDistance(a, b)
      expect(editDistance(a, b, limit)).toBe(Math.min(exact, limit + 1))
      expect(editDistance(b, a, limit)).toBe(editDistance(a, b, limit))
    }),
  )
})

test('while typing, prefix matches come before other matches', () => {
  expect(namesHolding('C5', types, 5)).toEqual(['c5.xlarge'])
  expect(namesHolding('xl', types, 2)).toEqual(['c5.xlarge', 'm5.xlarge'])
  expect(namesHolding('m5', ['am5', 'm5.b', 'm5.a'], 5)).toEqual(['m5.a', 'm5.b', 'am5'])
  expect(namesHolding('', types, 1)).toEqual(['Standard_D4s_v3'])
  expect(namesHolding('(', types, 9)).toEqual([])
})

function nearest(name: string, names: readonly string[], expected: readonly string[]): void {
  expect(nearestNames(name, names, 3)).toEqual(expected)
}

/** Two neighbours that were swapped are not changed again. */
function slowDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const least = Math.min(
    slowDistance(a.slice(1), b) + 1,
    slowDistance(a, b.slice(1)) + 1,
    slowDistance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  )
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
  return swapped ? Math.min(least, slowDistance(a.slice(2), b.slice(2)) + 1) : least
}
