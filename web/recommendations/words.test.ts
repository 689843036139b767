import { expect, test } from 'vitest'
import { recommendationDays } from '../../src/domain/recommendation.ts'
import { recommendationPeriod, savingsLabel, shortTitle } from './words.ts'

test('the period of recommendations is the one of the service', () => {
  expect(recommendationPeriod).toBe(`last ${recommendationDays} days`)
})

test.each([
  [undefined, 'Possible savings'],
  ['open', 'Possible savings'],
  ['dismissed', 'Savings of dismissed'],
  ['open,accepted', 'Savings of this list'],
  ['all', 'Savings of this list'],
])('the sum for the state %s is called %s', (state, label) => {
  expect(savingsLabel(state)).toBe(label)
})

test('the title of a container leaves out its workload', () => {
  const title = 'Resize web of Deployment/web: CPU from 1 to 400m, memory to 2Gi'
  expect(shortTitle({ kind: 'container', title })).toBe('web: CPU 1 to 400m, memory to 2Gi')
  expect(shortTitle({ kind: 'idle', title: 'Remove Deployment/web' })).toBe('Remove Deployment/web')
})
