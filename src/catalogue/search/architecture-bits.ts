import type { Need } from '../../domain/need.ts'
import { architectureNames } from '../columns/columns.ts'

/** Bit a is set where architecture a is let through. */
export function architecturesOf({ architectures }: Need): number {
  if (architectures === undefined) return ~0
  let bits = 1 << architectureNames.indexOf('')
  for (const name of architectures) bits |= 1 << architectureNames.indexOf(name)
  return bits
}
