import { expect, test } from 'vitest'
import { ignored, oversized, SeriesTable, unknown } from './resolver.ts'

/** Distributes numbers as a hash does. */
const lowOf = (n: number): number => Math.imul(n + 1, 0x9e3779b1) >>> 0

test('every value that was set is found', () => {
  const table = new SeriesTable()
  for (let n = 0; n < 5000; n++)
    table.set(n, lowOf(n), n % 7 === 0 ? oversized : n % 5 === 0 ? ignored : n, 1)
  expect([table.size, table.places]).toEqual([5000, 16_384])
  for (let n = 0; n < 5000; n++)
    expect(table.find(n, lowOf(n), 1)).toBe(n % 7 === 0 ? oversized : n % 5 === 0 ? ignored : n)
  expect(table.find(5000, lowOf(5000), 1)).toBe(unknown)
})

test('series without samples are removed, and their memory released', () => {
  const table = new SeriesTable()
  for (let n = 0; n < 100_000; n++) table.set(n, lowOf(n), n, 1)
  expect(table.places).toBeGreaterThanOrEqual(200_000)
  for (let n = 0; n < 100; n++) table.find(n, lowOf(n), 3)
  table.forgetBefore(3)
  expect([table.size, table.places, table.find(5, lowOf(5), 3), table.find(500, lowOf(500), 3)]).toEqual([
    100,
    1024,
    5,
    unknown,
  ])
})

test('the table grows if many series fall into one part of it', () => {
  const table = new SeriesTable()
  for (let n = 0; n < 2000; n++) table.set(n, n % 2 === 0 ? lowOf(n) : (n << 14) >>> 0, n, 1)
  expect(table.places).toBeGreaterThan(16_384)
  for (let n = 0; n < 2000; n++) expect(table.find(n, n % 2 === 0 ? lowOf(n) : (n << 14) >>> 0, 1)).toBe(n)
})

test('series that collide at every size are found, and the table does not grow without bound', () => {
  const table = new SeriesTable()
  for (let n = 0; n < 1000; n++) table.set(n, 7, n, 1)
  for (let n = 0; n < 1000; n++) expect(table.find(n, 7, 1)).toBe(n)
  expect(table.places).toBeLessThanOrEqual(128 * 1000)
})
