import { describe, expect, test } from 'vitest'
import { recommendedLimit } from './limits.ts'

describe('limits', () => {
  test.each([
    ['none stays none', { request: 1, limit: undefined }, 0.5, 3, undefined],
    ['equal stays equal', { request: 1, limit: 1 }, 0.5, 0.9, 0.5],
    ['keeps its proportion', { request: 1, limit: 2 }, 0.5, 0.6, 1],
    ['stays above the peak', { request: 1, limit: 2 }, 0.4, 0.9, 0.9],
    ['but the peak does not raise it above itself', { request: 1, limit: 2 }, 0.4, 7, 2],
    ['a limit alone is the request too', { request: undefined, limit: 2 }, 0.5, 0.4, 0.5],
  ])('%s', (_, now, request, peak, limit) => {
    expect(recommendedLimit(now, request, peak)).toBe(limit)
  })
})
