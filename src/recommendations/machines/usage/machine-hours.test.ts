import { expect, test } from 'vitest'
import { MachineHours } from './machine-hours.ts'

type Seen = [hour: number, seconds: number, cores: number]

function check(
  seen: readonly Seen[],
  expected: { measured: number; latest: number; half: number; all: number },
) {
  const hours = new MachineHours()
  for (const [hour, seconds, cores] of seen)
    hours.add({ length: 1, hours: [hour], seconds: [seconds], cores: [cores] })
  expect({
    measured: hours.measuredHours,
    latest: hours.latest,
    half: hours.coresAt(0.5),
    all: hours.coresAt(1),
  }).toEqual(expected)
}

test('one process determines when the machine was measured', () => {
  check(
    [
      [10, 3600, 0.5],
      [11, 1800, 2],
    ],
    { measured: 1.5, latest: 11, half: 0.5, all: 2 },
  )
})

test('of several processes the one seen longest counts; cores are added up weighted by time', () => {
  // 0.5 for an hour and 1 for half of it: 1 core on average
  check(
    [
      [10, 3600, 0.5],
      [10, 1800, 1],
    ],
    { measured: 1, latest: 10, half: 1, all: 1 },
  )
})

test('an hour without elapsed time is the latest only if there is no other', () => {
  check(
    [
      [10, 3600, 0.5],
      [11, 0, 0],
    ],
    { measured: 1, latest: 10, half: 0.5, all: 0.5 },
  )
  check([[11, 0, 0]], { measured: 0, latest: 11, half: 0, all: 0 })
})
