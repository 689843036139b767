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

test('many that ask at once wait for one reading', async () => {
  let readings = 0
  const counted = {
    usage: {
      digests: (...asked: Parameters<Store['usage']['digests']>) => {
        readings++
        return store.usage.digests(...asked)
      },
    },
  }
  const book = new LoadBook(counted, () => now)
  await Promise.all(Array.from({ length: 20 }, () => book.of('a', 'c', hours)))
  expect(readings).toBe(1)
})
