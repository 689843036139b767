import { expect, test } from 'vitest'
import { savingSentence } from './commitment-texts.ts'

const saving = {
  commitments: ['a', 'b', 'c', 'd'],
  saves_per_month: 10,
  until: '2027-06-30',
  saves_per_month_after: 30,
  stranded_per_month: 5,
}

test('a sentence says what is saved until when, and what is stranded at most', () => {
  expect(savingSentence(saving)).toBe(
    'Covered by a, b, c and others until 2027-06-30: this saves $10.00 a month until then, $30.00 after. At most $5.00 a month of what is committed would be paid for nothing, unless other machines use it.',
  )
  expect(savingSentence({ ...saving, saves_per_month_after: 10, stranded_per_month: 0 })).toBe(
    'Covered by a, b, c and others until 2027-06-30, which then covers other machines: this saves $10.00 a month.',
  )
})
