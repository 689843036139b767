/** Pseudo-random choices that depend only on a seed and an index. */
export interface Random {
  /** A number from 0 up to but excluding 1. */
  next(): number
  /** An integer from 0 up to but excluding the bound. */
  below(bound: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** The same seed and index always make the same choices, whatever was chosen for other indexes. */
export function randomFor(seed: number, index: number): Random {
  // splitmix32: https://prng.di.unimi.it/splitmix64.c, with the 32-bit constants of MurmurHash3's finaliser.
  let state = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca77)) >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)]!,
  }
}
