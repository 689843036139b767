import { describe, expect, test } from 'vitest'
import { dailyUsage } from '../history/days.ts'
import { resourceHistory } from '../history/history.ts'
import { spansOf } from '../usage.case.ts'
import { cpuFeatures, memoryFeatures } from './features.ts'

/** Days on which usage is the same in every hour. */
const usageOf = (days: readonly number[], resource: 'cpu' | 'memory') => {
  const at = (hour: number) => [days[Math.floor(hour / 24)]!]
  const spans = spansOf(days.length, resource === 'cpu' ? { cpu: at } : { gib: at })
  return dailyUsage(resourceHistory(spans, resource), days.length * 24)
}
const cpu = (days: readonly number[]) => cpuFeatures(usageOf(days, 'cpu'), days.length)!
const memory = (days: readonly number[]) => memoryFeatures(usageOf(days, 'memory'), days.length)!

/** Allows a tolerance of 2%, because percentiles come from buckets of 1%. */
function expectNear(
  found: Readonly<Record<string, number>>,
  expected: Readonly<Record<string, number>>,
): void {
  for (const [name, value] of Object.entries(expected)) {
    if (Number.isNaN(value)) expect(found[name], name).toBeNaN()
    else
      expect(Math.abs(found[name]! - value), `${name}: ${found[name]}, not ${value}`).toBeLessThan(
        0.02 * value + 1e-6,
      )
  }
}

describe('CPU features', () => {
  test('after three days of doubling usage', () => {
    const { age, sizes, shapes } = cpu([1, 2, 4])
    expect(age).toBe(3)
    expectNear(sizes, {
      ...{
        y50: 4,
        y95: 4,
        y99: 4,
        yPeak: 4,
        yMean: 4,
        b99: 2,
        bPeak: 2,
        week99: Number.NaN,
        weekPeak: Number.NaN,
      },
      peak2: 4,
      peak7: 4,
      peak14: 4,
      peakEver: 4,
      median99: 2,
      second99: 2,
      least99: 1,
      late3Peak: 4,
      late6Mean: 4,
      medianPeak: 2,
      secondPeak: 2,
      mean14: 7 / 3,
      s50: 2,
      s90: 4,
      f95: 4,
      f99: 4,
      w95: 4,
      w99: 4,
      w995: 4,
      l95: 4,
      l99: 4,
    })
    const doubling = Math.LN2 * Math.sqrt(2 / 3)
    expectNear(shapes, {
      spread99: doubling,
      spreadPeak: doubling,
      trend99: Number.NaN,
      coverage: 1,
      age: 3,
      burst: 0,
    })
  })

  test('after one day, and without any day', () => {
    const { sizes, shapes } = cpu([3])
    expectNear(sizes, { b99: 3, bPeak: 3, second99: 3, peak2: 3 })
    expectNear(shapes, { spread99: Number.NaN, trendMean: Number.NaN, age: 1 })
    expect(cpuFeatures(usageOf([3], 'cpu'), 0)).toBeNull()
    expect(memoryFeatures(usageOf([3], 'memory'), 0)).toBeNull()
  })

  test('the day a week before, and the peaks of several windows', () => {
    const days = Array.from({ length: 20 }, (_, day) => 40 - day)
    expectNear(cpu(days).sizes, {
      weekPeak: 27,
      week99: 27,
      peak2: 22,
      peak7: 27,
      peak14: 34,
      peakEver: 40,
      least99: 21,
    })
    expect(cpu(days).shapes.age).toBe(14)
    // The last fourteen days, latest first, are 21 to 34.
    expectNear(cpu(days).sizes, { medianPeak: 28, secondPeak: 33, mean14: 27.5 })
  })

  test('the trend compares the last two days with the five before them', () => {
    expectNear(cpu([9, 1, 1, 1, 1, 1, 2, 2]).shapes, { trend99: Math.LN2, trendMean: Math.LN2 })
    expectNear(cpu([1, 1, 2, 2]).shapes, { trend99: Math.LN2 })
    expectNear(cpu([1, 2, 2]).shapes, { trend99: Number.NaN })
  })

  test('an idle day gives finite features', () => {
    expectNear(cpu([0, 1]).shapes, { spreadPeak: -Math.log(1e-4) / 2 })
    expectNear(cpu([0, 0]).shapes, { spreadPeak: 0, burst: 0 })
  })

  test('a burst is a peak far above the 99th percentile', () => {
    const spans = spansOf(1, {
      cpu: (hour) => Array.from({ length: 60 }, (_, minute) => (hour + minute === 0 ? 8 : 1)),
    })
    const usage = dailyUsage(resourceHistory(spans, 'cpu'), 24)
    expectNear(cpuFeatures(usage, 1)!.shapes, { burst: Math.log(8) })
  })
})

test('memory features', () => {
  const { age, sizes, shapes } = memory([1, 4, 2, 3, 3.03, 6, 12])
  expect(age).toBe(7)
  expectNear(sizes, {
    ...{
      y5: 12,
      y50: 12,
      y95: 12,
      yPeak: 12,
      yMean: 12,
      bPeak: 6,
      peak2: 12,
      peak3: 12,
      peak7: 12,
      peak14: 12,
    },
    peakEver: 12,
    weekPeak: 1,
    late1Peak: 12,
    late6Peak: 12,
    late3Mean: 12,
    mean14: 31.03 / 7,
    medianPeak: 3.03,
    leastPeak: 1,
    secondPeak: 6,
    thirdPeak: 4,
  })
  // 3.03 to 6 and 6 to 12; from 3 to 3.03 is less than 2%.
  expectNear(shapes, { rising: 2, range: 0, coverage: 1, age: 7 })
  expectNear(memory([1, 1.02]).shapes, { rising: 0 })
  expectNear(memory([1, 2, 3]).shapes, { rising: 2 })
  expectNear(memory([64, 1, 1, 1, 1]).shapes, { spreadPeak4: 0, spreadMean: Math.log(64) * 0.4 })
})
