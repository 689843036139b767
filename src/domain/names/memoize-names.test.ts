import { expect, test } from 'vitest'
import { memoizeNames } from './memoize-names.ts'

test('reads a spelling once, what means nothing each time', () => {
  const asked: string[] = []
  const read = memoizeNames((name) => {
    asked.push(name)
    return name === 'nothing' ? undefined : name.toUpperCase()
  })
  for (let times = 0; times < 2; times++) {
    expect(read('linux')).toBe('LINUX')
    expect(read('nothing')).toBeUndefined()
  }
  expect(asked).toEqual(['linux', 'nothing', 'nothing'])
})

test('caches a limited number of names and no long ones', () => {
  let reads = 0
  const read = memoizeNames((name) => {
    reads++
    return name
  })
  const long = 'x'.repeat(101)
  expect([read(long), read(long), reads]).toEqual([long, long, 2])
  for (let i = 0; i < 300; i++) read(`name ${i}`)
  reads = 0
  for (let i = 0; i < 300; i++) expect(read(`name ${i}`)).toBe(`name ${i}`)
  expect(reads).toBe(100)
})
