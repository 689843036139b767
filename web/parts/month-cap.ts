import { hoursPerMonth } from '../../src/domain/money.ts'
import { count } from './figures.ts'

/** Whether the provider charges a month less than all of its hours. */
export const isCapped = (perHour: number, perMonth: number | null): perMonth is number =>
  perMonth !== null && perMonth < 0.998 * perHour * hoursPerMonth

/** Says how many hours of a month a provider charges at most, if that is not all: ", at most 672 h" */
export const capNote = (perHour: number, perMonth: number | null): string =>
  isCapped(perHour, perMonth) ? `, at most ${count(perMonth / perHour)} h` : ''
