import { placeNow, setParams } from '../app/router.ts'

export const mostPins = 4

/** Adds one to those side by side, or takes it out; the address holds them. */
export function togglePin(id: string): void {
  const pins = placeNow().params.getAll('pin')
  const next = pins.includes(id) ? pins.filter((each) => each !== id) : [...pins, id].slice(0, mostPins)
  setParams({ pin: next }, 'push')
}
