import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectKey } from '../../domain/subject.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/port.ts'
import { LoadBook } from './load-book.ts'
import { digestBytes, firstHour, type Invented, subjectOf } from './pods.case.ts'

const folder = mkdtempSync(join(tmpdir(), 'cheapside-loads-'))
let store: Store
beforeAll(async () => {
  store = await openStore({ dataFolder: folder })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const hours = { from: firstHour, to: firstHour + 200 }
let now = (firstHour + 100) * 3_600_000

async function keep(organisation: string, pods: readonly Invented[]): Promise<void> {
  const partition = { organisation, source: 'push' }
  const { epoch } = await store.usage.open(partition)
  const subjects = pods.map((pod) => {
    const subject = subjectOf(pod)
    const { from = firstHour, hours: length = 1 } = pod
    const digests = Array.from({ length }, (_, index) => ({
      hour: from + index,
      part: 0,
      bytes: digestBytes({ ...pod, from: from + index, hours: 1 }),
    }))
    return { key: subjectKey(subject), subject, state: new Uint8Array(), digests }
  })
  await store.usage.commit(partition, epoch, {
    subjects,
    entities: [],
    consumed: [],
    forgotten: [],
    resume: '',
  })
}

test('all that ran on a node counts, of its cluster and organisation alone', async () => {
  const book = new LoadBook(store, () => now)
  await keep('a', [
    { pod: 'x', hours: 2, cpuRequest: 1, memoryRequest: 2 },
    { pod: 'y', hours: 1, namespace: 'other', cores: 3, gib: 1 },
    { pod: 'z', cluster: 'elsewhere', cpuRequest: 9 },
    { pod: 'nowhere', node: null, cpuRequest: 9 },
  ])
  await keep('b', [{ pod: 'x', cpuRequest: 7 }])
  const { loads, endAt } = await book.of('a', 'c', hours)
  expect(loads.at('n1', firstHour)).toEqual({ cores: 4, gib: 3 })
  expect(loads.at('n1', firstHour + 1)).toEqual({ cores: 1, gib: 2 })
  expect(endAt).toBe((firstHour + 2) * 3600 - 60)
  expect((await book.of('a', 'unknown', hours)).endAt).toBe(0)
})

test('what is kept is read anew after a while: recent hours soon, all of it after an hour', async () => {
  const book = new LoadBook(store, () => now)
  const at = async (hour: number) => (await book.of('c', 'c', hours)).loads.at('n1', firstHour + hour).cores
  const [old, recent] = [1, 99]
  await keep('c', [{ pod: 'p', from: firstHour + old, cpuRequest: 1 }])
  expect(await at(recent)).toBe(0)
  await keep('c', [
    { pod: 'q', from: firstHour + old, cpuRequest: 2 },
    { pod: 'r', from: firstHour + recent, cpuRequest: 4 },
  ])
  now += 61_000
  expect([await at(old), await at(recent)]).toEqual([1, 4])
  now += 61_000
  expect([await at(old), await at(recent)]).toEqual([1, 4])
  now += 3_600_000
  expect([await at(old), await at(recent)]).toEqual([3, 4])
})

/** The store, and from which hour on it was read each time. */
function watched() {
  const from: number[] = []
  const digests = (...asked: Parameters<Store['usage']['digests']>) => {
    from.push(asked[1].fromHour - firstHour)
    return store.usage.digests(...asked)
  }
  return { from, usage: { digests } }
}

test('many that ask at once wait for one reading', async () => {
  const reading = watched()
  const book = new LoadBook(reading, () => now)
  await Promise.all(Array.from({ length: 20 }, () => book.of('a', 'c', hours)))
  expect(reading.from).toHaveLength(1)
})

test('who was given loads keeps them as they were', async () => {
  const book = new LoadBook(store, () => now)
  await keep('d', [{ pod: 'p', from: firstHour + 99, cpuRequest: 1 }])
  const first = await book.of('d', 'c', hours)
  await keep('d', [{ pod: 'q', from: firstHour + 99, cpuRequest: 2 }])
  now += 61_000
  const second = await book.of('d', 'c', hours)
  expect([first, second].map(({ loads }) => loads.at('n1', firstHour + 99).cores)).toEqual([1, 3])
})

test('no more node-hours are kept than may be: past believing goes first, then longest unasked', async () => {
  for (const organisation of ['e', 'f', 'g', 'h'])
    await keep(organisation, [{ pod: 'p', hours: 90, cpuRequest: 1 }])
  const { nodeHours } = (await new LoadBook(store, () => now).of('e', 'c', hours)).loads
  const reading = watched()
  const book = new LoadBook(reading, () => now, 2 * nodeHours)
  /** True where nothing was kept of it. */
  const isReadWhole = async (organisation: string) => {
    await book.of(organisation, 'c', hours)
    return reading.from.at(-1) === 0
  }
  const minute = 60_000
  expect(await isReadWhole('e')).toBe(true)
  now += 30 * minute
  expect(await isReadWhole('f')).toBe(true)
  now += 29 * minute
  expect(await isReadWhole('e')).toBe(false)
  now += 2 * minute
  expect(await isReadWhole('g')).toBe(true)
  now += 2 * minute
  expect(await isReadWhole('f')).toBe(false)
  expect(await isReadWhole('h')).toBe(true)
  now += 2 * minute
  expect(await isReadWhole('f')).toBe(false)
  expect(await isReadWhole('g')).toBe(true)
})

test('what is larger than all that may be kept is kept alone', async () => {
  const reading = watched()
  const book = new LoadBook(reading, () => now, 1)
  for (const organisation of ['e', 'f', 'f', 'e']) {
    await book.of(organisation, 'c', hours)
    now += 61_000
  }
  expect(reading.from.map((from) => from === 0)).toEqual([true, true, false, true])
})
