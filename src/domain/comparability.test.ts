import { expect, test } from 'vitest'
import { comparabilityOf, coresPerCore, isComparable, kindBits, ordinaryTraits } from './comparability.ts'

const rows: [current: number, candidate: number, countsFaster: boolean, factor: number][] = [
  [1000, 1000, false, 1],
  [1000, 901, false, 1],
  [1000, 900, false, 1000 / 900],
  [1000, 500, false, 2],
  [1000, 2000, false, 1],
  [1000, 2000, true, 0.5],
  [1000, 1099, true, 1],
  [1000, 1100, true, 1000 / 1100],
  [0, 500, true, 1],
  [1000, 0, true, 1],
]
test.each(rows)(
  'of speed %i, by cores of %i, faster ones counting %s: %d for one',
  (speed, other, faster, factor) => {
    expect(
      coresPerCore(comparabilityOf({ ...ordinaryTraits, speed }, { countsFasterCores: faster }), other),
    ).toBeCloseTo(factor, 12)
  },
)

test('a machine paid for its disks keeps half of them, of the same kind or faster', () => {
  const storage = {
    ...ordinaryTraits,
    kinds: kindBits(['storage-optimised']),
    localDiskGib: 1000,
    localDiskRank: 2,
  }
  const comparableTo = comparabilityOf(storage)
  expect(isComparable(comparableTo, storage)).toBe(true)
  expect(isComparable(comparableTo, { ...storage, localDiskGib: 500, localDiskRank: 3 })).toBe(true)
  expect(isComparable(comparableTo, { ...storage, localDiskGib: 499 })).toBe(false)
  expect(isComparable(comparableTo, { ...storage, localDiskRank: 1 })).toBe(false)
  expect(isComparable(comparableTo, { ...storage, kinds: 0 })).toBe(false)
})

test('an ordinary machine asks for no disk, and for nothing special', () => {
  const comparableTo = comparabilityOf({ ...ordinaryTraits, localDiskGib: 1000, localDiskRank: 3 })
  expect(isComparable(comparableTo, ordinaryTraits)).toBe(true)
  expect(isComparable(comparableTo, { ...ordinaryTraits, isOffered: false })).toBe(false)
  expect(isComparable(comparableTo, { ...ordinaryTraits, kinds: kindBits(['bare-metal']) })).toBe(false)
})
