import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { showDecided } from './show-decided.ts'

const recommendation = (id: string, state = 'open') => ({ id, state })
const [one, other] = [recommendation('one'), recommendation('other')]
const accepted = recommendation('one', 'accepted')

test('what was decided leaves lists of open recommendations, and is shown as decided elsewhere', () => {
  const queries = new QueryClient()
  const keys = {
    open: ['recommendations', {}],
    all: ['recommendations', { state: 'all' }, 'best', 10],
    case: ['recommendations', 'one', 'one'],
    waiting: ['recommendations', { state: 'accepted' }],
  }
  queries.setQueryData(keys.open, { pages: [{ recommendations: [one] }, { recommendations: [other] }] })
  queries.setQueryData(keys.all, { recommendations: [one, other] })
  queries.setQueryData(keys.case, { recommendation: one, reasons: [] })
  queries.setQueryData(['costs'], { recommendation: one })
  showDecided(queries, new Map([['one', accepted]]))
  expect(queries.getQueryData(keys.open)).toEqual({
    pages: [{ recommendations: [] }, { recommendations: [other] }],
  })
  expect(queries.getQueryData(keys.all)).toEqual({ recommendations: [accepted, other] })
  expect(queries.getQueryData(keys.case)).toEqual({ recommendation: accepted, reasons: [] })
  expect(queries.getQueryData(keys.waiting)).toBeUndefined()
  expect(queries.getQueryData(['costs'])).toEqual({ recommendation: one })
})
