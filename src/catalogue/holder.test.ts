import { expect, test } from 'vitest'
import { Catalogue } from './catalogue.ts'
import { CatalogueHolder } from './holder.ts'

test('a swap is seen at once, by listeners too, until they stop', () => {
  const [first, second, third] = ['1', '2', '3'].map((id) => Catalogue.from([], { id }))
  const holder = new CatalogueHolder(first!)
  const seen: string[] = []
  const stop = holder.onSwap((next, before) => seen.push(`${before.id}>${next.id}=${holder.current.id}`))
  holder.swap(second!)
  holder.swap(second!)
  stop()
  holder.swap(third!)
  expect(seen).toEqual(['1>2=2'])
  expect(holder.current).toBe(third)
})
