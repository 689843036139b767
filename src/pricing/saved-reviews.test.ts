import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { dayMs } from '../domain/time.ts'
import { listSavedReviews, type ReviewStore, readSavedReview, saveReview } from './saved-reviews.ts'
import type { Review } from './terraform/review/schema.ts'

function storeInMemory(): ReviewStore & { readonly stored: Map<string, Uint8Array> } {
  const values = new Map<string, string | undefined>()
  const stored = new Map<string, Uint8Array>()
  const write = async (organisation: string, name: string, value: string | undefined) => {
    values.set(`${organisation}/${name}`, value)
  }
  return {
    stored,
    settings: {
      read: async (organisation, name) => values.get(`${organisation}/${name}`),
      write,
      replace: async (organisation, name, before, value) => {
        if (values.get(`${organisation}/${name}`) !== before) return false
        await write(organisation, name, value)
        return true
      },
    },
    documents: {
      read: async (organisation, name) => stored.get(`${organisation}/${name}`),
      write: async (organisation, name, bytes) => {
        stored.set(`${organisation}/${name}`, bytes)
      },
      remove: async (organisation, names) => {
        for (const name of names) stored.delete(`${organisation}/${name}`)
      },
    },
  }
}

test('the number and the age of saved reviews are limited, in each organisation', async () => {
  const store = storeInMemory()
  const save = (organisation: string, name: string, day: number) => {
    const totals = { before_per_month: 1, after_per_month: 2, unpriced: 0 }
    return saveReview(store, organisation, { name, ...totals }, 'ci', day * dayMs)
  }
  const names = async (organisation: string, day: number) =>
    (await listSavedReviews(store, organisation, day * dayMs)).map(({ name }) => name)
  await save('other', 'old', 0)
  const saved = await save('acme', 'first', 0)
  await save('acme', 'second', 1)
  expect(await names('acme', 399)).toEqual(['second', 'first'])
  expect(await names('acme', 400)).toEqual(['second'])
  await store.settings.write('acme', 'reviews', JSON.stringify(Array.from({ length: 500 }, () => saved)))
  await save('acme', 'last', 1)
  expect(await names('acme', 1)).toEqual(['last', ...Array.from({ length: 499 }, () => 'first')])
  expect(await names('other', 1)).toEqual(['old'])
})

test('resources are kept of the latest reviews up to a size, and go with their review', async () => {
  const store = storeInMemory()
  const totals = { before_per_month: 1, after_per_month: 2, unpriced: 0 }
  const save = (name: string, review: Review, day: number) =>
    saveReview(store, 'acme', { name, ...totals, review }, 'ci', day * dayMs)
  const of = (plan: string): Review => ({
    version: 1,
    hours_per_month: 730,
    plans: [plan],
    totals: {
      before_per_month: 1,
      after_per_month: 2,
      difference_per_month: 1,
      possible_savings_per_month: 0,
    },
    ...{ price_days: null, changes: [], unpriced: [], unknown: [], free: [], drifted: 0 },
  })
  // Random digits are hardly compressed.
  const [large, small] = [of(randomBytes(10 * 2 ** 20).toString('base64')), of('plan.json')]
  const first = await save('first', large, 0)
  for (const [day, name] of ['second', 'third'].entries()) await save(name, large, day)
  expect((await readSavedReview(store, 'acme', first.id, 2 * dayMs)).review).toEqual(large)
  const last = await save('last', large, 2)
  expect(last.has_resources).toBe(true)
  const { review, ...totalsOnly } = await readSavedReview(store, 'acme', first.id, 2 * dayMs)
  expect([review, totalsOnly]).toEqual([null, { ...first, has_resources: false }])
  expect(store.stored.size).toBe(3)
  await save('much later', small, 401)
  expect((await listSavedReviews(store, 'acme', 401 * dayMs)).map(({ name }) => name)).toEqual([
    'much later',
    'last',
  ])
  expect(store.stored.size).toBe(2)
})
