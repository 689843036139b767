import { expect, test } from 'vitest'
import { glossary } from './glossary.ts'

test('the terms that users meet, each with its meaning', () => {
  expect(glossary.size).toBeGreaterThan(15)
  expect(glossary.get('spend')).toBe("a container's share of the price of its node")
  expect(glossary.has('term ')).toBe(false)
  expect(glossary.has('journal')).toBe(false)
  for (const meaning of glossary.values()) expect(meaning).not.toMatch(/[`|]/)
})
