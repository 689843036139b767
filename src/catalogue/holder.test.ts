import { expect, test } from 'vitest'
import { Catalogue } from './catalogue.ts'
import { CatalogueHolder } from './holder.ts'

test('a swap is seen at once, and who holds the old one keeps it', () => {
  const [first, second] = ['1', '2'].map((id) => Catalogue.from([], { id }))
  const holder = new CatalogueHolder(first!)
  const held = holder.current
  holder.swap(second!)
  expect(holder.current).toBe(second)
  expect(held).toBe(first)
})
