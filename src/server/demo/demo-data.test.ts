import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import { DemoData } from './demo-data.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-demo-'))
const store = await openSqliteStore({ directory })
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

const now = Date.parse('2026-11-18T12:00:00Z')
const failures: unknown[] = []

/** A node whose loads end when the test lets them. */
function newNode(holder: string) {
  const loads: PromiseWithResolvers<number>[] = []
  const demo = new DemoData({
    store,
    keys: { store, now: () => now, onChange: () => undefined },
    holder,
    onFailure: (error) => failures.push(error),
    load: () => {
      const load = Promise.withResolvers<number>()
      loads.push(load)
      return load.promise
    },
  })
  return { demo, loads }
}

const validKeys = async () => (await store.keys.all()).filter(({ revokedAt }) => revokedAt === null).length
const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))

test('loading and removing at once leaves keys and data, or neither', async () => {
  const [one, two] = [newNode('one'), newNode('two')]
  const { demo, loads } = one
  // The data is being loaded when it is to be removed.
  expect(outcomes(await Promise.allSettled([demo.open(), demo.remove(), demo.open()]))).toEqual([
    'done',
    'conflict',
    'done',
  ])
  expect([loads.length, await demo.state(), await validKeys()]).toEqual([
    1,
    { isLoading: true, loadedUntil: undefined },
    1,
  ])
  expect([await demo.isLoadingOf('cheapside-demo'), await demo.isLoadingOf('default')]).toEqual([true, false])
  // Another node neither loads it again nor removes it meanwhile.
  expect(outcomes(await Promise.allSettled([two.demo.open(), two.demo.remove()]))).toEqual([
    'done',
    'conflict',
  ])
  loads[0]!.resolve(now)
  await expect.poll(async () => (await demo.state()).loadedUntil).toBe(now)
  await expect
    .poll(() =>
      demo.remove().then(
        () => 'removed',
        () => 'busy',
      ),
    )
    .toBe('removed')
  expect([await demo.state(), await validKeys(), two.loads.length]).toEqual([
    { isLoading: false, loadedUntil: undefined },
    0,
    0,
  ])
  // What is removed first is loaded again, and the new key is not revoked.
  expect(outcomes(await Promise.allSettled([demo.remove(), demo.open()]))).toEqual(['done', 'done'])
  expect([loads.length, await validKeys()]).toEqual([2, 1])
  loads[1]!.reject(new Error('no disk'))
  await expect.poll(() => failures.map(String)).toEqual(['Error: no disk'])
})
