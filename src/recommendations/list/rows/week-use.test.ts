import { expect, test } from 'vitest'
import { sleepingHours } from './week-use.ts'

const [night, weekend] = [(hour: number) => hour < 7 || hour >= 19, (day: number) => day > 4]
const weekOf = (isIdle: (day: number, hour: number) => boolean) =>
  Array.from({ length: 168 }, (_, at) => isIdle(Math.floor(at / 24), at % 24))

test.each<[string, (day: number, hour: number) => boolean, ReturnType<typeof sleepingHours>]>([
  [
    'nights and weekends',
    (day, hour) => night(hour) || weekend(day),
    { says: 'from 19:00 to 07:00 UTC, and all of Saturday and Sunday (UTC)', perWeek: 108 },
  ],
  ['nights', (_, hour) => night(hour), { says: 'from 19:00 to 07:00 UTC', perWeek: 84 }],
  ['weekends', weekend, { says: 'all of Saturday and Sunday (UTC)', perWeek: 48 }],
  ['one day', (day) => day === 6, undefined],
  ['short breaks', (_, hour) => hour % 6 > 0, undefined],
  [
    'a night that one working day interrupts',
    (day, hour) => night(hour) && (day !== 2 || hour !== 2),
    { says: 'from 19:00 to 02:00 UTC', perWeek: 49 },
  ],
  ['never', () => false, undefined],
  ['always, which is another recommendation', () => true, undefined],
])('%s', (_, isIdle, expected) => {
  expect(sleepingHours(weekOf(isIdle))).toEqual(expected)
})
