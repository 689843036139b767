import { expect, test } from 'vitest'
import { derivation, type Estimate, estimateRows, estimatorName } from './estimate-rows.ts'

const said = (By: string, Value = 1, Steps: Estimate['Steps'] = []): Estimate => ({
  By,
  Value,
  Decided: false,
  Steps,
})
const explained = (...Estimates: Estimate[]) => ({ Days: 2, LearntFromDays: 0, Distribution: [], Estimates })

test('one row per estimator, for either resource', () => {
  const rows = estimateRows({
    CPU: explained(said('cost'), said('vpa', 2)),
    Memory: explained(said('cost', 3), said('worth', 4)),
  })
  expect(rows.map(({ by, cpu, memory }) => [by, cpu?.Value, memory?.Value])).toEqual([
    ['cost', 1, 3],
    ['vpa', 2, undefined],
    ['worth', undefined, 4],
  ])
})

test.each([
  ['balanced', 'Balanced'],
  ['vpa', 'VPA'],
  ['krr-simple', 'KRR simple'],
  ['krr-p99', 'KRR p99'],
])('%s', (by, name) => expect(estimatorName(by)).toBe(name))

test('the derivation has its steps in order, with rounded numbers', () => {
  const steps = [
    { Says: 'times 1.4285714285714286', Value: 2 },
    { Says: 'highest of the last 2 days', Value: 1 },
  ]
  expect(derivation(said('x', 2, steps))).toBe('highest of the last 2 days, then times 1.43')
  expect(derivation(undefined)).toBe('')
})
