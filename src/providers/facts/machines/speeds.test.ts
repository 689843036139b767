import { expect, test } from 'vitest'
import { familySpeeds, type MeasuredType, ownSpeed, type Scores, typeKey } from './speeds.ts'

const type = (scores: Scores, rest: Partial<MeasuredType> = {}): MeasuredType => ({
  ...{
    provider: 'a',
    instanceType: 't',
    vcpus: 4,
    isArm: false,
    isShared: false,
    isBurstable: false,
    family: '',
  },
  ...rest,
  scores,
})

test('CoreMark is divided by the vCPUs', () => {
  expect(ownSpeed(type({ coremarkAll: 80_000, geekbenchOne: 1 }))).toEqual({
    perVcpu: 20_000,
    basis: 'coremark',
  })
})

test('other benchmarks give an estimate near CoreMark', () => {
  // m6i.xlarge: CoreMark 17,350 a vCPU; Geekbench 1,598 and PassMark 2,363 of one core, two threads on a core.
  const scores = { stressAll: 3400, stressOne: 1550 }
  const byGeekbench = ownSpeed(type({ ...scores, geekbenchOne: 1598 }))!
  const byPassmark = ownSpeed(type({ ...scores, passmarkOne: 2363 }))!
  expect(byGeekbench.basis).toBe('geekbench')
  expect(byPassmark.basis).toBe('passmark')
  for (const { perVcpu } of [byGeekbench, byPassmark])
    expect(Math.abs(perVcpu / 17_350 - 1)).toBeLessThan(0.2)
})

test('without a stress test, dedicated threads count half and shared ones whole', () => {
  const [own, shared] = [false, true].map((isShared) => ownSpeed(type({ geekbenchOne: 1000 }, { isShared }))!)
  expect(shared!.perVcpu / own!.perVcpu).toBeCloseTo(2 ** 0.522, 9)
})

test('without measurements the speed is unknown', () => {
  expect(ownSpeed(type({ stressAll: 1, stressOne: 1 }))).toBeUndefined()
})

test('a speed near the median of its family becomes the median, others stay', () => {
  const of = (instanceType: string, coremarkAll: number, rest: Partial<MeasuredType> = {}) =>
    type({ coremarkAll }, { instanceType, family: 'f', ...rest })
  const speeds = familySpeeds([
    of('s', 4000),
    of('m', 4200),
    of('l', 3900),
    of('metal', 2000),
    of('throttled', 40, { isBurstable: true, family: 'b' }),
    of('bursting', 4000, { isBurstable: true, family: 'b' }),
    of('rested', 4100, { isBurstable: true, family: 'b' }),
    of('alone', 10, { isBurstable: true, family: 'c' }),
  ])
  const speed = (name: string) => speeds.get(typeKey('a', name))?.perVcpu
  expect(['s', 'm', 'l'].map(speed)).toEqual([987.5, 987.5, 987.5])
  expect(speed('metal')).toBe(500)
  expect(speed('throttled')).toBe(1000)
  expect(speed('alone')).toBeUndefined()
})
