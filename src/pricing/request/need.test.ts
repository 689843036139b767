import { expect, test } from 'vitest'
import { requirement } from './need.ts'

test.each([
  // used, size, target, required
  [1.5, 4, 0.8, 1.875],
  [3.2, 4, 0.8, 4],
  [3.6, 4, 0.8, 4],
  [4, 4, 0.8, 4],
  [5, 4, 0.8, 6.25],
  [0, 4, 0.8, 0],
  [1, 0, 0.8, 1.25],
  [2.4, 8, 0.8, 3],
  [5.6, 8, 0.8, 7],
  [1.5, 4, 0.5, 3],
  [1.5, 4, 1, 1.5],
])('%d used of %d at %d asks for %d', (used, size, target, expected) => {
  const both = (n: number) => ({ vcpus: n, ramGib: n })
  expect(requirement(both(used), both(size), { cpu: target, ram: target })).toEqual(both(expected))
})

test('cores and GiB have separate targets', () => {
  const vm = { vcpus: 8, ramGib: 32 }
  expect(requirement({ vcpus: 2, ramGib: 12 }, vm, { cpu: 0.5, ram: 0.75 })).toEqual({ vcpus: 4, ramGib: 16 })
  expect(requirement({ vcpus: 2, ramGib: 12 }, vm)).toEqual({ vcpus: 2.5, ramGib: 15 })
})
