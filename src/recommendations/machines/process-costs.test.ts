import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Amount } from '../../decisions/processes/size-process.ts'
import type { MachinePrice } from '../../pricing/reported-machine.ts'
import {
  costDriverOf,
  machineSpend,
  processCostDriver,
  processSpend,
  scaleToMachine,
} from './process-costs.ts'
import type { SizedMachine } from './usage/machine.ts'

const machineOf = (means: readonly Amount[]): SizedMachine => ({
  vm: 'm',
  processes: means.map((mean, index) => ({
    key: String(index),
    subject: { kind: 'process', vm: 'm', group: 'user', process: String(index), cgroup: '/' },
    baseline: mean,
    current: mean,
    recommended: mean,
    lower: mean,
    upper: mean,
    mean,
    expected: mean,
  })),
  measuredHours: 1,
  busyCores: 0,
  createdAt: 0,
})

const price = (over: Partial<MachinePrice>): MachinePrice => ({
  corePerHourUsd: 0.03,
  gibPerHourUsd: 0.004,
  perHourUsd: null,
  source: 'list',
  offer: undefined,
  perMonthUsd: null,
  cores: undefined,
  gib: undefined,
  ...over,
})

test.each([
  [2, 4, 'cpu'], // 0.06 and 0.016
  [2, 16, 'memory'], // 0.06 and 0.064
  [2, 15, 'cpu'], // equal
])('a machine of %d cores and %d GiB: %s', (cores, gib, driver) => {
  expect(costDriverOf(price({ cores, gib }), machineOf([{ cores: 0, gib: 1 }]))).toBe(driver)
})

test('a machine of unknown size is priced by its usage', () => {
  expect(costDriverOf(price({}), machineOf([{ cores: 0.1, gib: 2 }]))).toBe('memory')
  expect(costDriverOf(price({}), machineOf([{ cores: 0.5, gib: 2 }]))).toBe('cpu')
})

test('half of two cores and one of four GiB for ten hours', () => {
  const mean = { cores: 0.5, gib: 1 }
  const within = scaleToMachine(price({ cores: 2, gib: 4 }), machineOf([mean]))
  expect(processSpend(mean, within, price({ cores: 2, gib: 4 }), 10)).toBeCloseTo(0.19, 12)
})

test('memory that is counted twice is not charged twice', () => {
  const means = [
    { cores: 1, gib: 6 },
    { cores: 0, gib: 2 },
  ]
  const machine = machineOf(means)
  const small = price({ cores: 2, gib: 4 })
  const within = scaleToMachine(small, machine)
  expect(within).toEqual({ cores: 1, gib: 0.5 })
  // 1 core and 3 GiB: 0.03 + 0.012
  expect(processSpend(means[0]!, within, small, 1)).toBeCloseTo(0.042, 12)
})

test('processes and what none of them used add up to the price of the machine', () => {
  const machine = machineOf([
    { cores: 0.5, gib: 1 },
    { cores: 0, gib: 0.5 },
  ])
  const own = price({ cores: 2, gib: 4, perHourUsd: 0.08 })
  // 0.5 x 0.03 + 1.5 x 0.004
  expect(machineSpend(own, machine)).toEqual({ total: 0.08, processes: 0.021, unused: 0.059 })
  expect(machineSpend(own, machineOf([]))).toEqual({ total: 0.08, processes: 0, unused: 0.08 })
  expect(machineSpend(price({}), machine)).toBeUndefined()
})

test('shares never add up to more than the machine', () => {
  const amount = fc.record({
    cores: fc.double({ min: 0, max: 64, noNaN: true }),
    gib: fc.double({ min: 0, max: 512, noNaN: true }),
  })
  const size = fc.record({ cores: fc.integer({ min: 1, max: 64 }), gib: fc.integer({ min: 1, max: 512 }) })
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 20 }), size, (means, { cores, gib }) => {
      const own = price({ cores, gib })
      const machine = machineOf(means)
      const within = scaleToMachine(own, machine)
      const spent = means.reduce((sum, mean) => sum + processSpend(mean, within, own, 24), 0)
      expect(spent).toBeLessThanOrEqual(24 * (cores * 0.03 + gib * 0.004) * (1 + 1e-9))
    }),
  )
})

test.each([
  // 0.5 x 0.03 against 2 x 0.004, and 0.1 x 0.03 against 2 x 0.004
  [{ cores: 0.5, gib: 2 }, 'cpu'],
  [{ cores: 0.1, gib: 2 }, 'memory'],
  [{ cores: 0, gib: 0 }, 'memory'],
])('usage of %j has the cost driver %s on a machine whose cost driver is memory', (used, driver) => {
  expect(processCostDriver(used, price({}), 'memory')).toBe(driver)
})
