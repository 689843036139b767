import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRequest, type MessageFormat, messageFormat } from './decode.ts'
import { encodeRequest, type SeriesToWrite } from './encode.case.ts'
import { hashText } from './label-hash.ts'
import { ignored, type LabelPairs, Resolver, TooManySeries } from './resolver.ts'
import { Batch } from './samples.ts'
import { compress, decompress } from './snappy.ts'
import { defaultLimits, MalformedRequest } from './wire.ts'

const formats = ['remote-write-1', 'remote-write-2'] as const

/** Decodes a request and combines the labels that the resolver got with the samples of the batch. */
function read(
  body: Uint8Array,
  format: MessageFormat,
  wanted: (labels: LabelPairs) => boolean = () => true,
  maxSeries = 1000,
) {
  const known: LabelPairs[] = []
  const resolver = new Resolver(
    {
      mayUnderstand: (hash) => hash !== hashText('other'),
      number: (labels) => (wanted(labels) ? known.push(labels) - 1 : ignored),
    },
    maxSeries,
  )
  const batch = new Batch()
  decodeRequest(body, format, resolver, defaultLimits, batch)
  const series = known.map((labels) => ({ labels, samples: [] as { timeMs: number; value: number }[] }))
  for (let index = 0; index < batch.count; index++)
    series[batch.series[index]!]!.samples.push({ timeMs: batch.timesMs[index]!, value: batch.values[index]! })
  return {
    series,
    batch,
    learned: known.length,
    again: () => decodeRequest(body, format, resolver, defaultLimits, batch),
  }
}

const label = fc.tuple(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const someSeries: fc.Arbitrary<SeriesToWrite> = fc.record({
  labels: fc
    .uniqueArray(label, { maxLength: 8, selector: ([name]) => name })
    .map((labels): LabelPairs => [['__name__', 'metric'], ...labels.filter(([name]) => name !== '__name__')]),
  samples: fc.array(fc.record({ timeMs: fc.integer({ min: 0, max: 2 ** 45 }), value: fc.double() }), {
    minLength: 1,
    maxLength: 4,
  }),
})
const request = fc.uniqueArray(someSeries, {
  maxLength: 12,
  selector: ({ labels }) => JSON.stringify(labels),
})

test('encoded requests are decoded unchanged, in both formats', () => {
  fc.assert(
    fc.property(request, fc.constantFrom(...formats), (series, format) => {
      const found = read(encodeRequest(series, format), format)
      expect(found.series).toEqual(series)
      found.again()
      expect(found.learned).toBe(series.length)
      expect(found.batch.count).toBe(series.reduce((sum, { samples }) => sum + samples.length, 0))
    }),
  )
})

const readSeries = (
  format: MessageFormat,
  series: readonly SeriesToWrite[],
  wanted?: (labels: LabelPairs) => boolean,
) => read(encodeRequest(series, format), format, wanted)

test('stale markers, histograms, exemplars and unused metrics are counted and not read', () => {
  for (const format of formats) {
    const { series, batch } = readSeries(
      format,
      [
        {
          labels: [
            ['__name__', 'other'],
            ['a', 'b'],
          ],
          samples: [
            { timeMs: 1, value: 1 },
            { timeMs: 2, value: 1 },
          ],
        },
        {
          labels: [['__name__', 'metric']],
          samples: [
            { timeMs: 1, value: 'stale' },
            { timeMs: 2, value: Number.NaN },
          ],
        },
        {
          labels: [['__name__', 'unwanted']],
          samples: [{ timeMs: 1, value: 3 }],
          histograms: 2,
          exemplars: 5,
        },
      ],
      (labels) => labels[0]![1] !== 'unwanted',
    )
    expect(series).toEqual([
      { labels: [['__name__', 'metric']], samples: [{ timeMs: 2, value: Number.NaN }] },
    ])
    expect([batch.staleMarkers, batch.ignoredSamples, batch.samples]).toEqual([1, 3, 5])
    expect([batch.ignoredHistograms, batch.ignoredExemplars]).toEqual([2, 5])
  }
})

test('labels after samples and omitted zeros are valid protobuf', () => {
  const label = (name: string, value: string) => [
    0x0a,
    name.length + value.length + 4,
    0x0a,
    name.length,
    ...Buffer.from(name),
    0x12,
    value.length,
    ...Buffer.from(value),
  ]
  const sample = [0x12, 0x02, 0x10, 0x05]
  const message = [...label('__name__', 'metric'), ...sample, ...label('x', 'y')]
  const { series } = read(compress(Uint8Array.from([0x0a, message.length, ...message])), 'remote-write-1')
  expect(series.at(-1)).toEqual({
    labels: [
      ['__name__', 'metric'],
      ['x', 'y'],
    ],
    samples: [{ timeMs: 5, value: 0 }],
  })
})

test('a series with a label of 1 MB is left out, the others are not', () => {
  for (const format of formats) {
    const one = { labels: [['__name__', 'metric']] as [string, string][], samples: [{ timeMs: 1, value: 1 }] }
    const large = { ...one, labels: [...one.labels, ['x', 'y'.repeat(1 << 20)] as [string, string]] }
    const { series, batch } = readSeries(format, [large, one])
    expect([series.length, batch.oversizedSamples]).toEqual([1, 1])
  }
})

test('a series beyond the limit is distinguished from a malformed request', () => {
  const body = encodeRequest(
    ['a', 'b'].map((value) => ({
      labels: [
        ['__name__', 'metric'],
        ['x', value],
      ],
      samples: [{ timeMs: 1, value: 1 }],
    })),
  )
  expect(() => read(body, 'remote-write-1', undefined, 1)).toThrow(TooManySeries)
})

test('a decompression bomb is refused by its declared length', () => {
  expect(() => decompress(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0]), 1 << 20)).toThrow(
    /unpacks to 4294967295 bytes/,
  )
})

test('snappy with every kind of element is decompressed', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc
      .array(fc.constantFrom('container', 'namespace', 'a', '/kubepods/'), { maxLength: 9000 })
      .map((words) => Buffer.from(words.join(''))),
    fc.nat({ max: 100_000 }).map((length) => new Uint8Array(length)),
  )
  fc.assert(
    fc.property(bytes, (input) => {
      expect(Buffer.compare(decompress(compress(input), 1 << 20), input)).toBe(0)
    }),
  )
  // Each kind of copy, after "abcd": 8 bytes from an offset of 4, so that the copy overlaps itself.
  const literal = [12, 3 << 2, 97, 98, 99, 100]
  for (const copy of [
    [(4 << 2) | 1, 4],
    [(7 << 2) | 2, 4, 0],
    [(7 << 2) | 3, 4, 0, 0, 0],
  ])
    expect(Buffer.from(decompress(Uint8Array.from([...literal, ...copy]), 100)).toString()).toBe(
      'abcdabcdabcd',
    )
})

const decodes = (body: Uint8Array, format: MessageFormat) => {
  try {
    read(body, format)
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedRequest)
  }
}

test('random bytes are decoded or refused as malformed', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom(...formats),
      fc.boolean(),
      (bytes, format, packed) => decodes(packed ? compress(bytes) : bytes, format),
    ),
    { numRuns: 2000 },
  )
})

test('truncated and changed requests are decoded or refused as malformed', () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 6 })
  fc.assert(
    fc.property(
      request,
      fc.constantFrom(...formats),
      changes,
      fc.nat(),
      fc.boolean(),
      (series, format, list, cut, outside) => {
        const whole = encodeRequest(series, format)
        const bytes = outside ? Uint8Array.from(whole) : Uint8Array.from(decompress(whole, 1 << 24))
        for (const [place, value] of list) if (bytes.length > 0) bytes[place % bytes.length] = value
        const short = bytes.subarray(0, cut % 3 === 0 ? cut % (bytes.length + 1) : bytes.length)
        decodes(outside ? short : compress(short), format)
      },
    ),
    { numRuns: 2000 },
  )
})

test('headers determine the format', () => {
  const check = (
    type: string | undefined,
    encoding: string | undefined,
    expected: MessageFormat | undefined,
  ) => expect(messageFormat(type, encoding)).toBe(expected)
  check('application/x-protobuf', 'snappy', 'remote-write-1')
  check('application/x-protobuf', undefined, 'remote-write-1')
  check('application/x-protobuf;proto=prometheus.WriteRequest', 'snappy', 'remote-write-1')
  check('application/x-protobuf; proto="io.prometheus.write.v2.Request"', 'Snappy', 'remote-write-2')
  check('application/x-protobuf;proto=io.prometheus.write.v3.Request', 'snappy', undefined)
  check('application/x-protobuf;proto=constructor', 'snappy', undefined)
  check('application/json', 'snappy', undefined)
  check('application/x-protobuf', 'zstd', undefined)
  check(undefined, undefined, undefined)
})
