import { expect, test } from 'vitest'
import { decodeRequest, type MessageFormat } from './decode.ts'
import { field, label, repeated, twoByteLabelTag, varint } from './hostile.case.ts'
import { type LabelPairs, Resolver } from './resolver.ts'
import { Batch } from './samples.ts'
import { compress } from './snappy.ts'
import { defaultLimits } from './wire.ts'

const limits = {
  ...defaultLimits,
  maxSeries: 100,
  maxSamples: 100,
  maxSymbols: 100,
  maxLabelsInAll: 1000,
  maxLabelBytesInAll: 100_000,
  maxSkippedFields: 1000,
}

function read(message: Uint8Array, format: MessageFormat = 'remote-write-1') {
  const known: LabelPairs[] = []
  const resolver = new Resolver(
    { mayUnderstand: () => true, number: (labels) => known.push(labels) - 1 },
    10_000,
  )
  const batch = new Batch()
  decodeRequest(compress(message), format, resolver, limits, batch)
  return { known, batch }
}

const sample = field(2, Uint8Array.of(0x10, 5))

test('a label with a tag of two bytes is read', () => {
  const bytes = label('x', 'y')
  const odd = Buffer.concat([Uint8Array.of(0x8a, 0), bytes.subarray(1)])
  const { known, batch } = read(field(1, Buffer.concat([label('__name__', 'metric'), odd, sample])))
  expect(known).toEqual([
    [
      ['__name__', 'metric'],
      ['x', 'y'],
    ],
  ])
  expect([batch.count, batch.timesMs[0]]).toEqual([1, 5])
  expect(read(twoByteLabelTag(1 << 20)).known).toEqual([[['', '']]])
})

test('labels in any order and between samples belong to one series, resolved once', () => {
  const mixed = [sample, label('a', '1'), field(9, new Uint8Array(300)), sample, label('b', '2'), sample]
  const { known, batch } = read(
    Buffer.concat([field(1, Buffer.concat(mixed)), field(1, Buffer.concat(mixed))]),
  )
  expect(known).toEqual([
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ])
  expect([batch.count, ...batch.series.subarray(0, 6)]).toEqual([6, 0, 0, 0, 0, 0, 0])
})

test('a series with too many labels is left out, in any order', () => {
  const many = repeated([...label('a', 'b')], 129)
  expect(read(field(1, Buffer.concat([many, sample]))).batch).toMatchObject({ oversizedSamples: 1, count: 0 })
  expect(read(field(1, Buffer.concat([sample, many]))).batch).toMatchObject({ oversizedSamples: 1, count: 0 })
  const refs = field(1, new Uint8Array(1_000_000))
  const message = Buffer.concat([field(4, new Uint8Array()), field(5, Buffer.concat([refs, sample]))])
  expect(read(message, 'remote-write-2').batch).toMatchObject({ oversizedSamples: 1, count: 0 })
})

test('a request above a limit is refused, and the limit is named', () => {
  const check = (format: MessageFormat, message: Uint8Array, what: RegExp) =>
    expect(() => read(message, format)).toThrow(what)
  const [one, two] = ['remote-write-1', 'remote-write-2'] as const
  check(one, repeated([0x0a, 0], 101), /more than 100 series/)
  check(two, repeated([0x2a, 0], 101), /more than 100 series/)
  check(one, field(1, repeated([...sample], 101)), /more than 100 samples/)
  check(two, field(5, repeated([...sample], 101)), /more than 100 samples/)
  check(one, field(1, repeated([0x1a, 0], 101)), /more than 100 samples, histograms and exemplars/)
  check(one, field(1, repeated([0x22, 0], 101)), /more than 100 samples, histograms and exemplars/)
  check(two, repeated([0x22, 0], 101), /more than 100 symbols/)
  check(one, repeated([...field(1, repeated([0x0a, 0], 100))], 11), /more than 1000 labels/)
  check(one, repeated([0x7a, 0], 1001), /more than 1000 fields that are not read/)
  check(one, field(1, repeated([0x7a, 0], 1001)), /more than 1000 fields that are not read/)
  check(one, field(1, field(1, repeated([0x7a, 0], 1001))), /more than 1000 fields that are not read/)
  const symbols = repeated([...field(4, Buffer.alloc(8000, 97))], 2)
  const named = (n: number) => field(5, field(1, Uint8Array.from([n % 2, 1])))
  check(
    two,
    Buffer.concat([symbols, ...Array.from({ length: 7 }, (_, n) => named(n))]),
    /more than 100000 bytes of labels/,
  )
})

test('groups, field 0 and unterminated numbers are refused', () => {
  const check = (message: number[]) => {
    expect(() => read(Uint8Array.from(message))).toThrow(/protobuf/)
    expect(() => read(field(1, Uint8Array.from(message)))).toThrow(/protobuf/)
    expect(() => read(field(5, Uint8Array.from(message)), 'remote-write-2')).toThrow(/protobuf/)
  }
  check([0x4b, 0x4c])
  check([0x02, 0x00])
  check([0x48, ...Array.from({ length: 11 }, () => 0x80)])
  check([0x4a, ...varint(2 ** 40)])
})

test('the memory of a large request is released', () => {
  const batch = new Batch()
  for (let n = 0; n < 100_000; n++) batch.push(0, n, n)
  expect(batch.series.length).toBeGreaterThanOrEqual(100_000)
  batch.release()
  expect([batch.count, batch.series.length, batch.timesMs.length, batch.values.length]).toEqual([
    0, 1024, 1024, 1024,
  ])
})
