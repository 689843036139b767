import { expect, test } from 'vitest'
import { chosenStates, filterOf, toggled } from './filter.ts'

test.each([
  ['', 'open'],
  ['state=applied,open', 'applied,open'],
  ['state=all', undefined],
])('with ?%s the checked states are %j', (params, checked) => {
  expect(chosenStates(filterOf(new URLSearchParams(params)))).toBe(checked)
})

test.each([
  [undefined, 'open', 'open'],
  ['open', 'open', undefined],
  ['open', 'applied', 'open,applied'],
  ['open,applied', 'open', 'applied'],
])('of %j, toggling %j leaves %j', (before, value, after) => {
  expect(toggled(before, value)).toBe(after)
})
