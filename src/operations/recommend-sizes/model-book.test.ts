import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelBook } from './model-book.ts'
import { Sample } from './read-fleet.ts'

const hourMs = 3_600_000

test('a model is learnt once it is asked for, and anew after a day', () => {
  let now = 1000 * hourMs
  const book = new ModelBook(() => now)
  expect(book.due()).toEqual([])
  expect(book.of('a')).toBeUndefined()
  expect(book.due()).toEqual(['a'])
  const model = {}
  book.learnt('a', model)
  expect(book.due()).toEqual([])
  expect(book.of('a')).toBe(model)
  book.of('b')
  now += 25 * hourMs
  expect(book.due()).toEqual(['b', 'a'])
  book.failed('b')
  expect(book.due()).toEqual(['a'])
  now += 2 * hourMs
  expect(book.due()).toEqual(['b', 'a'])
  now += 8 * 24 * hourMs
  expect(book.due()).toEqual([])
  book.learnt('a', model)
  expect(book.of('a')).toBeUndefined()
})

test('a sample is the same in any order, and never too large', () => {
  const names = fc.uniqueArray(fc.string(), { maxLength: 200 })
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 50 }), (all, most) => {
      const chosen = (of: readonly string[]) => {
        const sample = new Sample<string>(most)
        for (const name of of) if (sample.wants(name)) sample.add(name, name)
        return sample.all().sort()
      }
      const once = chosen(all)
      expect(once.length).toBeLessThanOrEqual(most)
      if (all.length <= most) expect(once).toEqual([...all].sort())
      expect(chosen(all.toReversed())).toEqual(once)
    }),
  )
})
