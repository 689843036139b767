import { expect, test } from 'vitest'
import { chosenStates, filterOf, ignoredFilters, toggled } from './filter.ts'

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

test.each([
  ['state=foo', {}, ['state=foo']],
  ['state=Open,closed', { state: 'open' }, ['state=closed']],
  ['state=all', { state: 'all' }, []],
  ['state=all,open', { state: 'open' }, ['state=all']],
  ['kind=disk&risk=low&finding=', { risk: 'low' }, ['kind=disk']],
  ['min_worth=much&min_confidence=0.5', { min_confidence: 0.5 }, ['min_worth=much']],
  ['min_worth=0&min_confidence=5', {}, ['min_confidence=5']],
])('with ?%s the filter is %j, and %j is ignored', (search, filter, ignored) => {
  const params = new URLSearchParams(search)
  expect(filterOf(params)).toEqual(filter)
  expect(ignoredFilters(params)).toEqual(ignored)
})
