import { expect, test } from 'vitest'
import { offer } from './offer.case.ts'
import { WrittenAnswers } from './written-answers.ts'

const at = (position: number | undefined) => ({ ...offer(), ...(position !== undefined && { position }) })
const found = (...groups: (number | undefined)[][]) =>
  groups.map((positions, i) => ({ instanceType: `t${i}`, offers: positions.map(at) }))
const bytes = (length: number) => new Uint8Array(length)

/** An answer is kept when it comes back. */
function askOften(answers: WrittenAnswers, ...[current, list, written]: Parameters<WrittenAnswers['keep']>) {
  for (let times = 0; times < 3; times++)
    if (answers.find(current, list) === undefined) answers.keep(current, list, written)
}

test('the same offers for the same instance, and nothing else', () => {
  const answers = new WrittenAnswers()
  const one = bytes(1)
  askOften(answers, at(7), found([1, 2], [3]), one)
  expect(answers.find(at(7), found([1, 2], [3]))).toBe(one)
  expect(answers.find(at(8), found([1, 2], [3]))).toBeUndefined()
  expect(answers.find(at(7), found([1, 2], [4]))).toBeUndefined()
  expect(answers.find(at(7), found([1, 2]))).toBeUndefined()
  expect(answers.find(at(7), found([1, 2], [3], [5]))).toBeUndefined()
  expect(answers.find(at(undefined), found([1, 2], [3]))).toBeUndefined()
})

test('what was asked once is not kept', () => {
  const answers = new WrittenAnswers()
  answers.keep(at(7), found([1]), bytes(1))
  expect(answers.find(at(7), found([1]))).toBeUndefined()
  answers.keep(at(7), found([1]), bytes(1))
  expect(answers.find(at(7), found([1]))).toBeUndefined()
  answers.keep(at(7), found([2]), bytes(1))
  answers.keep(at(7), found([1]), bytes(1))
  expect(answers.find(at(7), found([1]))).toBeUndefined()
  answers.keep(at(7), found([1]), bytes(1))
  expect(answers.find(at(7), found([1]))).toBeDefined()
})

test('no offers are an answer too', () => {
  const answers = new WrittenAnswers()
  askOften(answers, at(7), [], bytes(1))
  expect(answers.find(at(7), [])).toBeDefined()
})

test('what is on no price list is not kept', () => {
  const answers = new WrittenAnswers()
  askOften(answers, at(undefined), found([1]), bytes(1))
  askOften(answers, at(7), found([1, undefined]), bytes(1))
  expect(answers.find(at(7), found([1, undefined]))).toBeUndefined()
})

test('few of each instance, the oldest goes first, and so many bytes in all', () => {
  const answers = new WrittenAnswers(100)
  for (let i = 0; i < 9; i++) askOften(answers, at(7), found([i]), bytes(10))
  expect(answers.find(at(7), found([0]))).toBeUndefined()
  expect(answers.find(at(7), found([1]))).toBeDefined()
  askOften(answers, at(8), found([1]), bytes(20))
  expect(answers.find(at(7), found([8]))).toBeDefined()
  askOften(answers, at(9), found([1]), bytes(1))
  expect(answers.find(at(7), found([8]))).toBeUndefined()
  expect(answers.find(at(9), found([1]))).toBeDefined()
})
