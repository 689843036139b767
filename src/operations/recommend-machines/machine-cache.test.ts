import { afterAll, beforeAll, expect, test } from 'vitest'
import { MachineCache } from './machine-cache.ts'
import { aQuarterMore, hours, type MachinesFixture, openMachinesFixture } from './test-machines.case.ts'

let world: MachinesFixture
beforeAll(async () => {
  world = await openMachinesFixture()
  for (const organisation of ['slow', 'x', 'y', 'z'])
    await world.add(
      organisation,
      Array.from({ length: organisation === 'slow' ? 5 : 1 }, (_, n) => ({ process: `p${n}`, cores: 1 })),
    )
})
afterAll(() => world.close())

/** A book whose clock stands still but for a millisecond each time it is looked at. */
function newBook(mostProcesses: number) {
  const gate = Promise.withResolvers<void>()
  const seen = { readings: 0, atMs: 0 }
  type Digests = typeof world.store.usage.digests
  const digests: Digests = (...asked) => {
    seen.readings++
    return world.store.usage.digests(...asked)
  }
  const reading = {
    store: { usage: { ...world.store.usage, digests } },
    now: world.deps.now,
    advisor: async (organisation: string) => {
      if (organisation === 'slow') await gate.promise
      return aQuarterMore
    },
  }
  const book = new MachineCache(reading, { mostProcesses, clockMs: () => ++seen.atMs })
  const name = async (organisation: string) =>
    (await book.named(organisation, hours, 'web-1'))?.machine.processes.length
  return { book, seen, name, letSlowGo: gate.resolve }
}

test('what is forgotten before it is worked out takes no room', async () => {
  const { seen, name, letSlowGo } = newBook(4)
  const slow = name('slow')
  for (const organisation of ['x', 'y', 'z']) expect(await name(organisation)).toBe(1)
  letSlowGo()
  expect(await slow).toBe(5)
  const { readings } = seen
  for (const organisation of ['y', 'z']) expect(await name(organisation)).toBe(1)
  expect(seen.readings).toBe(readings)
})

test('a machine that was walked past is known by its name, also where that had grown old', async () => {
  const { book, seen, name } = newBook(100)
  for (let round = 1; round <= 2; round++) {
    for await (const { machine } of book.after('x', hours, '')) expect(machine.vm).toBe('web-1')
    expect([await name('x'), seen.readings]).toEqual([1, round])
    seen.atMs += 400_000
  }
})
