import { expect, test } from 'vitest'
import { aQuarterMore, hours, type MachinesFixture, withMachinesFixture } from '../test-machines.case.ts'
import { MachineCache } from './machine-cache.ts'

let fixture: MachinesFixture
withMachinesFixture(async (opened) => {
  fixture = opened
  for (const organisation of ['slow', 'x', 'y', 'z'])
    await fixture.add(
      organisation,
      Array.from({ length: organisation === 'slow' ? 5 : 1 }, (_, n) => ({ process: `p${n}`, cores: 1 })),
    )
})

/** A cache whose clock advances by a millisecond each time it is read. */
function newCache(maxProcesses: number) {
  const gate = Promise.withResolvers<void>()
  const seen = { readings: 0, atMs: 0, lateAt: 0, laterMs: 0 }
  async function* digests(...asked: Parameters<typeof fixture.store.usage.digests>) {
    seen.readings++
    yield* fixture.store.usage.digests(...asked)
  }
  const reading = {
    store: { usage: { ...fixture.store.usage, digests, lateUsageAt: async () => seen.lateAt } },
    now: () => fixture.deps.now() + seen.laterMs,
    advisor: async (organisation: string) => {
      if (organisation === 'slow') await gate.promise
      return aQuarterMore
    },
  }
  const cache = new MachineCache(reading, { maxProcesses, clockMs: () => ++seen.atMs })
  const name = async (organisation: string) =>
    (await cache.named(organisation, hours, 'web-1'))?.machine.processes.length
  return { cache, seen, name, letSlowGo: gate.resolve }
}

test('a machine larger than the capacity is not cached', async () => {
  const { seen, name, letSlowGo } = newCache(4)
  const slow = name('slow')
  for (const organisation of ['x', 'y', 'z']) expect(await name(organisation)).toBe(1)
  letSlowGo()
  expect(await slow).toBe(5)
  const { readings } = seen
  for (const organisation of ['y', 'z']) expect(await name(organisation)).toBe(1)
  expect(seen.readings).toBe(readings)
})

test('a machine read in a list is then cached by name, also after an older entry expired', async () => {
  const { cache, seen, name } = newCache(100)
  for (let round = 1; round <= 2; round++) {
    for await (const { machine } of cache.after('x', hours, '')) expect(machine.vm).toBe('web-1')
    expect([await name('x'), seen.readings]).toEqual([1, round])
    seen.atMs += 400_000
  }
})

test('a machine is cached for longer if its window had ended hours before it was read, but not forever', async () => {
  const { seen, name } = newCache(100)
  /** Judged by the clock that the cache reads twice a request at most. */
  const pass = (ms: number): void => {
    seen.atMs += ms
    seen.laterMs += ms
  }
  const perProcess = 175
  await name('x')
  pass(perProcess - 50)
  expect([await name('x'), seen.readings]).toEqual([1, 1])
  pass(50)
  expect([await name('x'), seen.readings]).toEqual([1, 2])
  pass(40 * 3_600_000)
  expect([await name('x'), seen.readings]).toEqual([1, 3])
  pass(10 * perProcess - 50)
  expect([await name('x'), seen.readings]).toEqual([1, 3])
  pass(100)
  expect([await name('x'), seen.readings]).toEqual([1, 4])
})

test('a machine is read again after older usage has arrived', async () => {
  const { seen, name } = newCache(100)
  for (const [lateAt, readings] of [
    [0, 1],
    [0, 1],
    [5, 2],
    [5, 2],
    [6, 3],
  ] as const) {
    seen.lateAt = lateAt
    expect([await name('x'), seen.readings]).toEqual([1, readings])
  }
})
