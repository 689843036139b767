import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subjectKey } from '../../domain/subject.ts'
import type { Store } from '../../store/port.ts'
import { withTestStore } from '../../store/test-store.case.ts'
import { summariseDay } from '../../usage/day/summarise-day.ts'
import { decodeDigests } from '../../usage/digest/codec.ts'
import { digestBytes, type SyntheticPod, subjectOf } from '../../usage/reading/pods.case.ts'
import { NodeLoadCache } from './node-load-cache.ts'

let store: Store
withTestStore((opened) => {
  store = opened
})

const days = 12
/** A time after everything that the test stores, also by the clock of the database. */
const nowMs = Date.now() + 3_600_000
const today = Math.floor(Date.now() / 86_400_000)
const firstHour = (today - days) * 24
const endHour = Math.floor(nowMs / 3_600_000)
const window = { from: firstHour + 7, to: endHour }

/** Enough pods that their loads are kept. */
const pods = Array.from({ length: 100 }, (_, index): SyntheticPod => {
  const cpuRequest = (index % 3) / 7
  return { pod: `p${index}`, node: `n${index % 3}`, cpuRequest, cores: index / 1000, memoryRequest: 0.1 }
})

/** Every pod ran in most hours of all days, and all days are compacted. */
async function fill(organisation: string): Promise<void> {
  const all = Array.from({ length: days }, (_, day) => day)
  await compact(
    organisation,
    pods.flatMap((pod, index) => all.map((day) => closedDay(pod, day, index % 5))),
  )
}

function closedDay(pod: SyntheticPod, day: number, offset: number) {
  const bytes = digestBytes({ ...pod, from: firstHour + day * 24 + offset, hours: 19 })
  const summary = summariseDay(decodeDigests(bytes))
  return { key: subjectKey(subjectOf(pod)), day: today - days + day, bytes, summary }
}

async function compact(organisation: string, packed: Parameters<Store['usage']['compact']>[2]) {
  const partition = { organisation, source: 'push' }
  await store.usage.compact(partition, await store.usage.fence(partition), packed)
}

/** Commits an hour of usage of a pod that was not known before, as a collection of older history does. */
async function fillIn(organisation: string, hour: number, pod: SyntheticPod): Promise<void> {
  const partition = { organisation, source: 'collected' }
  const subject = subjectOf(pod)
  const digests = [{ hour, part: 0, bytes: digestBytes({ ...pod, from: hour, hours: 1 }) }]
  await store.usage.commit(partition, await store.usage.fence(partition), {
    entities: [],
    consumed: [],
    forgotten: [],
    resume: '',
    subjects: [{ key: subjectKey(subject), subject, state: new Uint8Array(), digests }],
  })
}

/** The cache of a process that has just started, the hours that it reads, and a promise that it has kept its days. */
function freshProcess() {
  const read: [from: number, to: number][] = []
  const digests = (...asked: Parameters<Store['usage']['digests']>) => {
    read.push([asked[1].fromHour - firstHour, asked[1].toHour - firstHour])
    return store.usage.digests(...asked)
  }
  let keeping: Promise<void> | undefined
  const keepNodeLoads: Store['usage']['keepNodeLoads'] = (...days) => {
    keeping = store.usage.keepNodeLoads(...days)
    return keeping
  }
  const kept = async () => {
    for (let last: typeof keeping; last !== keeping; ) {
      last = keeping
      await last
    }
  }
  return {
    read,
    kept,
    cache: new NodeLoadCache({ usage: { ...store.usage, digests, keepNodeLoads } }, () => nowMs),
  }
}

const keptDays = async (organisation: string) =>
  (await store.usage.nodeLoads(organisation, 'c', { from: 0, to: 1e6 })).map(({ day }) => day - today + days)

test('a window from long before the first usage asks the store for kept days as seldom as a short one', async () => {
  await fill('early')
  const asked: number[] = []
  for (const from of [window.from, -17_000_000]) {
    let count = 0
    const nodeLoads: Store['usage']['nodeLoads'] = (...query) => {
      count++
      return store.usage.nodeLoads(...query)
    }
    const cache = new NodeLoadCache({ usage: { ...store.usage, nodeLoads } }, () => nowMs)
    await cache.loadsOf('early', 'c', { ...window, from })
    asked.push(count)
  }
  expect(asked[1]).toBe(asked[0])
})

test('the next process reads days that are not settled, and none that is stored', async () => {
  await fill('a')
  const [first, second] = [freshProcess(), freshProcess()]
  await first.cache.loadsOf('a', 'c', window)
  await first.kept()
  expect(await keptDays('a')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await second.cache.loadsOf('a', 'c', { ...window, from: firstHour + 30 })
  await second.cache.loadsOf('a', 'c', window)
  await second.cache.loadsOf('a', 'c', { from: firstHour + 3, to: firstHour + 50 })
  expect(first.read).toEqual([[0, endHour - firstHour]])
  expect(second.read).toEqual([[9 * 24, endHour - firstHour]])
})

test('loads of a small cluster are not stored', async () => {
  await compact(
    'small',
    pods.slice(1).map((pod) => closedDay(pod, 3, 0)),
  )
  const { cache, kept } = freshProcess()
  await cache.loadsOf('small', 'c', window)
  await kept()
  expect(await keptDays('small')).toEqual([])
})

test('late usage of old days counts immediately, in every process', async () => {
  await fill('d')
  const hour = firstHour + 3 * 24 + 10
  const early = freshProcess()
  await early.cache.loadsOf('d', 'c', window)
  await early.kept()
  const running = new NodeLoadCache(store, Date.now)
  const coresOf = async (cache: NodeLoadCache) =>
    (await cache.loadsOf('d', 'c', window)).loads.at('n0', hour).cores
  const before = await coresOf(running)
  for (const filled of [1, 2]) {
    await fillIn('d', hour, { pod: `late-${filled}`, node: 'n0', cpuRequest: 40 })
    expect(await coresOf(running)).toBeCloseTo(before + filled * 40, 9)
    expect(await coresOf(freshProcess().cache)).toBeCloseTo(before + filled * 40, 9)
  }
})

test('stored and compacted days do not change loads', async () => {
  await fill('c')
  const hour = fc.integer({ min: -30, max: endHour - firstHour })
  const step = fc.record({
    from: hour,
    length: fc.integer({ min: 1, max: 300 }),
    late: fc.option(
      fc.record({ pod: fc.nat({ max: 99 }), day: fc.nat({ max: days - 1 }), cores: fc.nat(9) }),
    ),
  })
  const unkept = { nodeLoads: async () => [], keepNodeLoads: async () => undefined }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      for (const { from, length, late } of steps) {
        if (late !== null)
          await compact('c', [closedDay({ ...pods[late.pod], cores: late.cores }, late.day, late.cores % 5)])
        const asked = { from: firstHour + from, to: Math.min(endHour, firstHour + from + length) }
        const process = freshProcess()
        const kept = await process.cache.loadsOf('c', 'c', asked)
        const read = await new NodeLoadCache({ usage: { ...store.usage, ...unkept } }, () => nowMs).loadsOf(
          'c',
          'c',
          asked,
        )
        await process.kept()
        expect([kept.endAt, kept.firstHour]).toEqual([read.endAt, read.firstHour])
        for (let at = asked.from; at < asked.to; at++)
          for (const node of ['n0', 'n1', 'n2'])
            expect(kept.loads.at(node, at)).toEqual(read.loads.at(node, at))
      }
    }),
    { numRuns: 20 },
  )
  expect((await keptDays('c')).length).toBeGreaterThan(0)
})
