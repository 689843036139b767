import { expect, test } from 'vitest'
import { ruleText } from './rule-words.ts'

test.each([
  [{ min_cpu: 0.1, max_memory: 8 }, 'CPU at least 0.1 cores, memory at most 8 GiB'],
  [{ max_cpu: 1, limits: 'none' as const }, 'CPU at most 1 core, no CPU limits'],
  [{ cpu_memory_ratio: '1-6.5' }, '1-6.5 GiB for each core'],
])('%j', (rule, said) => {
  expect(ruleText(rule)).toBe(said)
})
