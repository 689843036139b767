import { expect, test } from 'vitest'
import { jsonExcess } from './json-limits.ts'

const padding = JSON.stringify('x'.repeat(20_000))

test.each([
  ['a hundred levels', `[${padding},${'['.repeat(99)}${']'.repeat(99)}]`],
  ['brackets in strings', `["${'[{,'.repeat(500_000)}"]`],
  ['escaped quotes', `["${'\\"['.repeat(10_000)}"]`],
  ['escaped backslashes', `[${'"\\\\",[],'.repeat(10_000)}1]`],
  ['a string without end', `["${'['.repeat(20_000)}`],
  ['many that end again', `[${'[[]],'.repeat(300_000)}1]`],
])('%s are fine', (_, text) => {
  expect(jsonExcess(text)).toBeUndefined()
})

test.each([
  ['levels', `[${padding},${'['.repeat(100)}`, 'deeper than 100'],
  ['objects in objects', `[${padding},${'{"a":'.repeat(101)}`, 'deeper than 100'],
  ['values', `[${'1,'.repeat(1_000_000)}1]`, 'more than 1000000 values'],
  ['empty objects', `[${'{},'.repeat(600_000)}1]`, 'more than 1000000 values'],
])('too many %s', (_, text, excess) => {
  expect(jsonExcess(text)).toContain(excess)
})
