export type IdArray = Uint8Array | Uint16Array | Uint32Array

/** The narrowest array that holds ids below the bound. */
export function idArray(length: number, bound: number): IdArray {
  if (bound <= 0x100) return new Uint8Array(length)
  return bound <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length)
}

/** The same ids in the narrowest array that holds them. */
export function narrowIds(ids: ArrayLike<number>, bound: number): IdArray {
  const array = idArray(ids.length, bound)
  array.set(ids)
  return array
}
