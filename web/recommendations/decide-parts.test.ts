import { expect, test } from 'vitest'
import { maxDecided } from '../../src/domain/recommendation.ts'
import { decideParts } from './decide-parts.ts'

test('more recommendations than one request accepts are divided', () => {
  const ids = Array.from({ length: 2 * maxDecided + 1 }, (_, at) => `id-${at}`)
  const parts = decideParts(ids)
  expect(parts.map(({ length }) => length)).toEqual([maxDecided, maxDecided, 1])
  expect(parts.flat()).toEqual(ids)
})
