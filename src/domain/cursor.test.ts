import { expect, test } from 'vitest'
import { cursorOf, cursorParts, namesInCursor } from './cursor.ts'

test('what a cursor was made of comes back', () => {
  expect(cursorParts(cursorOf(['a', 'ü', 7]))).toEqual(['a', 'ü', 7])
  expect(namesInCursor(cursorOf(['a', 'b']), 1, 2)).toEqual(['a', 'b'])
})

test('what no page gave is none', () => {
  for (const text of ['', 'x', '!!', 'bnVsbA', cursorOf([]), cursorOf(['a', 7]), cursorOf(['a', 'b', 'c'])])
    expect(namesInCursor(text, 1, 2)).toBeUndefined()
  const object = Buffer.from('{"length":1,"0":"a"}').toString('base64url')
  expect(namesInCursor(object, 1)).toBeUndefined()
})
