import { expect, test } from 'vitest'
import { isPartly, measuredHeader, measuredText, readMeasured, writeMeasured } from './measured.ts'

test.each([
  [{ hours: 312, ofHours: 744 }, '13 of 31 days', true],
  [{ hours: 743.5, ofHours: 744 }, '31 of 31 days', false],
  [{ hours: 1, ofHours: 720 }, '1 hour of 30 days', true],
  [{ hours: 715.5, ofHours: 720 }, '715 of 720 hours', true],
])('%j is %s, and the header of an answer says it', (measured, text, isPart) => {
  expect([measuredText(measured), isPartly(measured)]).toEqual([text, isPart])
  expect(readMeasured(new Headers({ [measuredHeader]: writeMeasured(measured) }))).toEqual(measured)
  expect(readMeasured(new Headers())).toBeUndefined()
})
