import { expect, test } from 'vitest'
import { compileSizing } from './compile-sizing.ts'

test('synthetic containers are sized as real ones are', async () => {
  const [namespace, ...others] = JSON.parse(await compileSizing(new AbortController().signal))
  expect(others).toEqual([])
  const containers = Object.values(namespace.ContainerRecommendations) as { NewSpend: number }[]
  expect(containers).toHaveLength(50)
  for (const { NewSpend } of containers) expect(NewSpend).toBeGreaterThan(0)
})

test('sizing stops with the service', async () => {
  expect(await compileSizing(AbortSignal.abort())).toBe('')
})
