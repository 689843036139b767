import { expect, test } from 'vitest'
import { dayMs } from '../domain/time.ts'
import type { SettingsStore } from '../store/port.ts'
import { listSavedReviews, saveReview } from './saved-reviews.ts'

function settingsInMemory(): SettingsStore {
  const values = new Map<string, string | undefined>()
  const write = async (organisation: string, name: string, value: string | undefined) => {
    values.set(`${organisation}/${name}`, value)
  }
  return {
    read: async (organisation, name) => values.get(`${organisation}/${name}`),
    write,
    replace: async (organisation, name, before, value) => {
      if (values.get(`${organisation}/${name}`) !== before) return false
      await write(organisation, name, value)
      return true
    },
  }
}

test('the number and the age of saved reviews are limited, in each organisation', async () => {
  const settings = settingsInMemory()
  const save = (organisation: string, name: string, day: number) => {
    const totals = { before_per_month: 1, after_per_month: 2, unpriced: 0 }
    return saveReview(settings, organisation, { name, ...totals }, 'ci', day * dayMs)
  }
  const names = async (organisation: string, day: number) =>
    (await listSavedReviews(settings, organisation, day * dayMs)).map(({ name }) => name)
  await save('other', 'old', 0)
  const saved = await save('acme', 'first', 0)
  await save('acme', 'second', 1)
  expect(await names('acme', 399)).toEqual(['second', 'first'])
  expect(await names('acme', 400)).toEqual(['second'])
  await settings.write('acme', 'reviews', JSON.stringify(Array.from({ length: 500 }, () => saved)))
  await save('acme', 'last', 1)
  expect(await names('acme', 1)).toEqual(['last', ...Array.from({ length: 499 }, () => 'first')])
  expect(await names('other', 1)).toEqual(['old'])
})
