import { expect, test } from 'vitest'
import { coresPerCore, isAlike, kindBits, likenessOf, ordinaryTraits } from './likeness.ts'

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
    expect(coresPerCore(likenessOf({ ...ordinaryTraits, speed }, faster), other)).toBeCloseTo(factor, 12)
  },
)

test('a machine paid for its disks keeps half of them, of the same kind or faster', () => {
  const storage = {
    ...ordinaryTraits,
    kinds: kindBits(['storage-optimised']),
    localDiskGib: 1000,
    localDiskRank: 2,
  }
  const like = likenessOf(storage, false)
  expect(isAlike(like, storage)).toBe(true)
  expect(isAlike(like, { ...storage, localDiskGib: 500, localDiskRank: 3 })).toBe(true)
  expect(isAlike(like, { ...storage, localDiskGib: 499 })).toBe(false)
  expect(isAlike(like, { ...storage, localDiskRank: 1 })).toBe(false)
  expect(isAlike(like, { ...storage, kinds: 0 })).toBe(false)
})

test('an ordinary machine asks for no disk, and for nothing special', () => {
  const like = likenessOf({ ...ordinaryTraits, localDiskGib: 1000, localDiskRank: 3 }, false)
  expect(isAlike(like, ordinaryTraits)).toBe(true)
  expect(isAlike(like, { ...ordinaryTraits, isOffered: false })).toBe(false)
  expect(isAlike(like, { ...ordinaryTraits, kinds: kindBits(['bare-metal']) })).toBe(false)
})
