import { expect, test } from 'vitest'
import { stepsOf } from './why.tsx'

test('the bars lead from the cost before to the cost now', () => {
  const zero = {
    hours_usd: 0,
    new_usd: 0,
    gone_usd: 0,
    count_usd: 0,
    size_usd: 0,
    mix_usd: 0,
    price_usd: 0,
    idle_usd: 0,
    shared_usd: 0,
  }
  const times = {
    start: '',
    end: '',
    before_start: '',
    before_end: '',
    measured_hours: 1,
    before_measured_hours: 1,
  }
  const of = {
    ...zero,
    ...times,
    before_usd: 100,
    cost_usd: 110,
    change_usd: 10,
    new_usd: 30,
    gone_usd: -20,
    groups: [],
    note: null,
    causes: [],
  }
  expect(stepsOf(of)).toEqual([
    { name: 'Before', from: 0, to: 100, isTotal: true },
    { name: 'New workloads', from: 100, to: 130, isTotal: false },
    { name: 'Gone workloads', from: 130, to: 110, isTotal: false },
    { name: 'Now', from: 0, to: 110, isTotal: true },
  ])
})
