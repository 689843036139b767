import fc from 'fast-check'
import { expect, test } from 'vitest'
import { viewForecast } from '../report/forecast-month.ts'
import { type DayCost, forecastCost } from './forecast.ts'

const days = (count: number, usdOf: (day: number) => number): DayCost[] =>
  Array.from({ length: count }, (_, day) => ({ day, usd: usdOf(day) }))
/** Five days of 10 and two of 3. */
const week = (day: number): number => (day % 7 < 5 ? 10 : 3)

test('constant costs go on, in a narrow band', () => {
  const forecast = forecastCost(
    days(20, () => 5),
    20,
    30,
  )!
  expect(forecast.usd).toBeCloseTo(50, 9)
  expect(forecast.spreadUsd).toBeLessThan(6)
})

test('weekdays are told apart after two weeks', () => {
  const whole = forecastCost(days(56, week), 56, 63)!
  expect(Math.abs(whole.usd - 56)).toBeLessThan(2)
  const weekend = forecastCost(days(56, week), 61, 63)!
  expect(weekend.usd).toBeGreaterThan(5)
  expect(weekend.usd).toBeLessThan(8)
  expect(forecastCost(days(13, week), 61, 63)).toMatchObject({ hasWeekdays: false })
})

test('a change of level is followed, and widens the band', () => {
  const grown = days(28, (day) => (day < 14 ? 10 : 20))
  const forecast = forecastCost(grown, 28, 29)!
  expect(forecast.usd).toBeGreaterThan(15)
  const steady = forecastCost(
    days(28, (day) => 15 + (day % 2)),
    28,
    35,
  )!
  expect(forecastCost(grown, 28, 35)!.spreadUsd).toBeGreaterThan(3 * steady.spreadUsd)
})

test('four of five random months are in the band, however few days are known', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (const known of [7, 13, 14, 28]) {
    let inBand = 0
    for (let round = 0; round < 500; round++) {
      const all = days(known + 15, () => 100 + 20 * (random() + random() + random() - 1.5))
      const forecast = forecastCost(all.slice(0, known), known, known + 15)!
      const actual = all.slice(known).reduce((sum, { usd }) => sum + usd, 0)
      if (Math.abs(actual - forecast.usd) <= forecast.spreadUsd) inBand++
    }
    expect(inBand).toBeGreaterThan(390)
  }
})

test('there is none with fewer than seven days', () => {
  expect(forecastCost(days(6, week), 6, 30)).toBeUndefined()
})

test('a forecast is finite and not negative, and its band grows with the days', () => {
  const anyHistory = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 7, maxLength: 60 })
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 1, max: 31 }), (usd, ahead) => {
      const history = usd.map((each, day) => ({ day, usd: each }))
      const [short, long] = [ahead, ahead + 1].map(
        (length) => forecastCost(history, history.length, history.length + length)!,
      )
      expect(Number.isFinite(short!.usd) && short!.usd >= 0).toBe(true)
      expect(long!.spreadUsd).toBeGreaterThanOrEqual(short!.spreadUsd)
    }),
  )
})

/** November 2026 begins on day 20,758; it is the 11th. */
const first = 20_758
const at = (history: number, todayUsd: number) => {
  const whole = days(history, () => 10).map(({ usd }, index) => ({ day: first + 10 - history + index, usd }))
  const all = new Map([...whole.map(({ day, usd }) => [day, usd] as const), [first + 10, todayUsd]])
  const measuredTo = (first + 10) * 24 + 12
  return viewForecast({ days: all, whole, first, end: first + 30, today: first + 10, measuredTo })
}

test('a month is what it cost so far and the forecast of the rest, from today on', () => {
  expect(at(20, 4)).toMatchObject({
    ...{ month: '2026-11', days: 30, so_far_usd: 104, forecast_usd: 300 },
    text: expect.stringMatching(
      /^2026-11 will cost about \$300\.00, with a chance of 80% between \$2\d\d\.\d\d and \$3\d\d\.\d\d, by 20 whole days and their pattern of weekdays\. So far \$104\.00\.$/,
    ),
  })
})

test('when it is too early, it says so', () => {
  expect(at(3, 4)).toMatchObject({
    ...{ so_far_usd: 34, forecast_usd: null, low_usd: null, measured_days: 3.5, history_days: 3 },
    text: 'It is too early for a forecast: 3 whole days of usage, and 7 are needed. So far $34.00.',
  })
})
