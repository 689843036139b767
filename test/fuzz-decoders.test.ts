import { expect, test } from 'vitest'
import { decoders } from './decoders.ts'
import { fuzz } from './fuzz-decoders.ts'

test.each(decoders)(
  '$name: any bytes are read or refused clearly, with no more memory than is stated',
  (decoder) => {
    expect(fuzz(decoder, 1, 1 << 18, (inputs) => inputs >= 400).failures).toEqual([])
  },
)
