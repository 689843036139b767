import { type ByteReader, decodeUtf8, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { type IdArray, idArray } from '../columns/dictionary.ts'
import { TextTable } from '../columns/skus.ts'
import { fromDecimal, maxDigits, notDecimal } from './write-columns.ts'

export function readTexts(r: ByteReader): string[] {
  return Array.from({ length: r.count(1, 'texts') }, () => r.text())
}

export function readTextTable(r: ByteReader): TextTable {
  const starts = readSteps(r, r.count(1, 'texts'))
  const bytes = Buffer.from(r.block())
  if (starts.at(-1) !== bytes.length) throw new MalformedBytes('holds texts that do not fit their lengths')
  decodeUtf8(bytes)
  return new TextTable(bytes, starts)
}

export function readIds(r: ByteReader, count: number, bound: number, what: string): IdArray {
  if (count > r.left) throw new MalformedBytes('ends too early')
  const ids = idArray(count, bound)
  for (let i = 0; i < count; i++) ids[i] = r.below(bound, what)
  return ids
}

export function readSteps(r: ByteReader, count: number): Uint32Array {
  if (count > r.left) throw new MalformedBytes('ends too early')
  const starts = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) {
    // Each item of a range takes at least one byte in what follows.
    starts[i + 1] = starts[i]! + r.below(r.left - starts[i]!, 'a range of')
  }
  return starts
}

export function readFirstAppearances(r: ByteReader, count: number, texts: number): IdArray {
  if (count > r.left) throw new MalformedBytes('ends too early')
  const ids = idArray(count, texts + 1)
  let newest = 0
  for (let i = 0; i < count; i++) {
    const step = r.below(newest + 2, 'a step back of')
    if (step === 1 && ++newest > texts) throw new MalformedBytes('holds more ids than texts')
    ids[i] = step === 0 ? 0 : step === 1 ? newest : newest + 2 - step
  }
  return ids
}

export function readPrices(r: ByteReader, count: number): Float64Array {
  if (count * 2 > r.left) throw new MalformedBytes('ends too early')
  const prices = new Float64Array(count)
  const digits = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    digits[i] = r.byte()
    if (digits[i]! > maxDigits && digits[i] !== notDecimal)
      throw new MalformedBytes(`holds a price of ${digits[i]} digits`)
  }
  for (let i = 0; i < count; i++) {
    prices[i] = digits[i] === notDecimal ? r.float64() : fromDecimal(r.varint(), digits[i]!)
    if (!(prices[i]! >= 0 && prices[i]! < Infinity)) throw new MalformedBytes('holds a price that is none')
  }
  return prices
}

export function readNumbers(r: ByteReader, count: number): Float64Array {
  const numbers = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    numbers[i] = r.float64()
    if (numbers[i]! < 0 || numbers[i] === Infinity) throw new MalformedBytes('holds a machine that cannot be')
  }
  return numbers
}
