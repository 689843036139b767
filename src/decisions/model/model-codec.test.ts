import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { dailyUsage } from '../../rightsizing/history/days.ts'
import { resourceHistory } from '../../rightsizing/history/history.ts'
import { cpuFeatures, memoryFeatures } from '../../rightsizing/model/features.ts'
import { bases, logMultiples } from '../../rightsizing/model/grid.ts'
import { Distribution } from '../../usage/distribution/distribution.ts'
import { modelFormat } from './model-codec.ts'

/** Increase it when the meaning of a model changes but none of the names below. */
const meaning = 1

test('stored models are trained again when the grid, the bases or the features change', () => {
  const [cpu, memory] = [Distribution.of(1e6), Distribution.of(2 ** 30)]
  const names = (['cpu', 'memory'] as const).map((resource) => {
    const usage = dailyUsage(resourceHistory([{ startHour: 0, hours: 1, cpu, memory }], resource), 1)
    const { sizes, shapes } = (resource === 'cpu' ? cpuFeatures : memoryFeatures)(usage, 1)!
    return [...Object.keys(sizes), ...Object.keys(shapes), 'size']
  })
  const described = JSON.stringify([meaning, Array.from(logMultiples), bases, ...names])
  expect(createHash('sha256').update(described).digest('hex').slice(0, 16)).toBe(modelFormat)
})
