import { expect, test } from 'vitest'
import { reasonNotToChange } from './worth-changing.ts'

test.each([
  [{ from: 1, to: 1.09, usdPerDay: 9, suffers: false }, '10%'],
  [{ from: 1, to: 1.1, usdPerDay: 9, suffers: false }, undefined],
  [{ from: 1, to: 0.5, usdPerDay: -0.009, suffers: false }, 'cent'],
  [{ from: 1, to: 0.5, usdPerDay: -0.009, suffers: true }, 'cent'],
  [{ from: 1, to: 1.01, usdPerDay: 0.001, suffers: true }, undefined],
  [{ from: undefined, to: 0.01, usdPerDay: 0, suffers: false }, undefined],
])('%j is worth it unless %s', (change, reason) => {
  if (reason === undefined) expect(reasonNotToChange(change)).toBeUndefined()
  else expect(reasonNotToChange(change)).toContain(reason)
})
