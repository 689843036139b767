import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frontierOf, type Point } from './frontier.ts'

const anyPoint = fc.record({ size: fc.integer({ min: 1, max: 9 }), price: fc.integer({ min: 1, max: 9 }) })
const beats = (a: Point, b: Point) =>
  a.size >= b.size && a.price <= b.price && (a.size > b.size || a.price < b.price)

test('contains exactly the points that no other point beats, smaller and cheaper ones first', () => {
  fc.assert(
    fc.property(fc.array(anyPoint, { maxLength: 30 }), (points) => {
      const frontier = frontierOf(points)
      const unbeaten = points.filter((point) => !points.some((other) => beats(other, point)))
      const said = (of: readonly Point[]) =>
        [...new Set(of.map(({ size, price }) => `${size} ${price}`))].sort()
      expect(said(frontier)).toEqual(said(unbeaten))
      for (let i = 1; i < frontier.length; i++) {
        expect(frontier[i]!.size).toBeGreaterThan(frontier[i - 1]!.size)
        expect(frontier[i]!.price).toBeGreaterThan(frontier[i - 1]!.price)
      }
    }),
  )
})
