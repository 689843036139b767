import { expect, test } from 'vitest'
import { usageTypes } from '../offer.ts'
import { parseUsageType } from './usage-types.ts'

const check = (name: string, expected: string | undefined) =>
  expect(parseUsageType(name), name).toBe(expected)

test('every canonical name is itself', () => {
  for (const usageType of usageTypes) check(usageType, usageType)
})

test('usual names, any case, any separator', () => {
  for (const name of ['ondemand', 'on-demand', 'On Demand', 'ON_DEMAND', ' OD ', 'pay-as-you-go'])
    check(name, 'ONDEMAND')
  for (const name of ['reserved', 'Reserved Instance', 'committed', 'CUD', 'savings-plan', 'committed_use'])
    check(name, 'RESERVED')
  for (const name of ['spot', 'PREEMPTIBLE', 'spot/preemptible', 'low-priority', 'Spot VM'])
    check(name, 'SPOT_PREEMPTIBLE')
})

test('anything else is no usage type', () => {
  for (const name of ['', ' ', 'dedicated', 'spo', 'toString', '__proto__', 'ondemandx'])
    check(name, undefined)
})
