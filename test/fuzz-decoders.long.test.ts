import { expect, test } from 'vitest'
import { decoders } from './decoders.ts'
import { fuzz } from './fuzz-decoders.ts'

test.each(decoders)(
  '$name: any bytes are decoded or refused with a known error, within the stated memory',
  (decoder) => {
    expect(fuzz(decoder, 1, 1 << 18, (inputs) => inputs >= 400).failures).toEqual([])
  },
)
