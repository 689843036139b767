import { placeNow, setParams } from '../state/router.ts'

export const maxPins = 4

/** Adds or removes a candidate of the side-by-side comparison, which is stored in the address. */
export function togglePin(id: string): void {
  const pins = placeNow().params.getAll('pin')
  const next = pins.includes(id) ? pins.filter((each) => each !== id) : [...pins, id].slice(0, maxPins)
  setParams({ pin: next }, 'push')
}
