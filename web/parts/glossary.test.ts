import { expect, test } from 'vitest'
import { glossary } from './glossary.ts'

test('the terms of the document, each with its meaning', () => {
  expect(glossary.size).toBeGreaterThan(30)
  expect(glossary.get('spend')).toBe("a container's share of the price of its node")
  expect(glossary.has('term ')).toBe(false)
  for (const meaning of glossary.values()) expect(meaning).not.toMatch(/[`|]/)
})
