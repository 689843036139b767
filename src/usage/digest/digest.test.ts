import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hourSeconds } from '../../domain/time.ts'
import { MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { writeDistribution } from '../distribution/write-distribution.ts'
import { mergeWindow } from '../reading/merge-window.case.ts'
import { combineHours, hoursOfWindow } from '../reading/pod-usage.ts'
import { WindowSum } from '../reading/window-sum.case.ts'
import { decodeDigests, encodeDigests } from './codec.ts'
import type { Digest } from './digest.ts'
import {
  counterNames,
  emptyDigest,
  mergeDigest,
  numberNames,
  oomKills,
  setNumber,
  setText,
  textNames,
} from './digest.ts'
import { MarksOverHours, markNames, mergedMark, noMarks, widerMarks } from './memory-marks.ts'

const hour = 500_000
const start = hour * hourSeconds

const event = fc.oneof(
  fc.record({
    kind: fc.constant('sample' as const),
    at: fc.nat({ max: 3599 }),
    cpu: fc.nat({ max: 5_000_000 }),
    memory: fc.nat({ max: 2 ** 34 }),
  }),
  fc.record({
    kind: fc.constant('count' as const),
    name: fc.constantFrom(...counterNames),
    by: fc.nat({ max: 40_000 }),
  }),
  fc.record({
    kind: fc.constant('number' as const),
    name: fc.constantFrom(...numberNames),
    at: fc.nat({ max: 3599 }),
    value: fc.nat({ max: 2 ** 40 }),
  }),
  fc.record({
    kind: fc.constant('text' as const),
    name: fc.constantFrom(...textNames),
    at: fc.nat({ max: 3 }),
    text: fc.constantFrom('Error', 'OOMKilled', 'ReplicaSet/web-7', 'Deployment/web', 'Job/x', 'knöten-1'),
  }),
  fc.record({
    kind: fc.constant('mark' as const),
    name: fc.constantFrom(...markNames),
    kib: fc.integer({ min: 1, max: 2 ** 28 }),
  }),
  fc.record({ kind: fc.constant('rest' as const), startedAt: fc.nat(), peak: fc.nat(), init: fc.boolean() }),
)
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never
const events = fc.array(event, { maxLength: 20 })

function digestOf(list: readonly Event[], ofHour = hour): Digest {
  const digest = emptyDigest(ofHour)
  const from = ofHour * hourSeconds
  for (const item of list) {
    if (item.kind === 'sample') {
      digest.firstAt = digest.samples === 0 ? from + item.at : Math.min(digest.firstAt, from + item.at)
      digest.lastAt = Math.max(digest.lastAt, from + item.at)
      digest.samples += 2
      digest.cpu.add(item.cpu, 15, Math.floor(item.cpu * 14.9))
      digest.memory.add(item.memory)
    } else if (item.kind === 'count') digest[item.name] += item.by
    else if (item.kind === 'number') setNumber(digest, item.name, item.value, from + item.at)
    else if (item.kind === 'text') setText(digest, item.name, item.text, from + item.at)
    else if (item.kind === 'mark') digest[item.name] = mergedMark(item.name, digest[item.name], item.kib)
    else {
      digest.startedAt = Math.max(digest.startedAt, item.startedAt)
      digest.memoryPeakBytes = Math.max(digest.memoryPeakBytes, item.peak)
      digest.init ||= item.init
    }
  }
  return digest
}

const bytes = (digest: Digest) => Buffer.from(encodeDigests([digest])).toString('hex')

test('merging in any order and grouping gives the same bytes as a single digest of everything', () => {
  fc.assert(
    fc.property(events, events, events, (a, b, c) => {
      const all = bytes(digestOf([...a, ...b, ...c]))
      expect(bytes(mergeDigest(mergeDigest(digestOf(a), digestOf(b)), digestOf(c)))).toBe(all)
      expect(bytes(mergeDigest(digestOf(c), mergeDigest(digestOf(b), digestOf(a))))).toBe(all)
    }),
  )
})

test('registers that are merged twice count once', () => {
  fc.assert(
    fc.property(events, (list) => {
      const registers = list.filter(
        ({ kind }) => kind === 'number' || kind === 'text' || kind === 'mark' || kind === 'rest',
      )
      expect(bytes(digestOf([...registers, ...registers]))).toBe(bytes(digestOf(registers)))
    }),
  )
})

test('decoded hours equal the encoded ones', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), events), { maxLength: 8 }), (list) => {
      const digests = list.map(([step, of], index) => digestOf(of, hour + 31 * index + step))
      expect(decodeDigests(encodeDigests(digests)).map(bytes)).toEqual(digests.map(bytes))
    }),
  )
})

test('an hour like the one before takes few bytes', () => {
  const at = (ofHour: number) =>
    digestOf(
      [
        { kind: 'text', name: 'node', at: 3, text: 'Deployment/web' },
        { kind: 'number', name: 'memoryLimitBytes', at: 30, value: 2 ** 30 },
        { kind: 'sample', at: 30, cpu: 20_000, memory: 2 ** 28 },
        { kind: 'sample', at: 60, cpu: 20_000, memory: 2 ** 28 },
      ],
      ofHour,
    )
  const one = encodeDigests([at(hour)]).length
  expect(encodeDigests([at(hour), at(hour + 1)]).length - one).toBeLessThan(24)
})

test('wrong bytes are refused or read, and cause no other error', () => {
  fc.assert(
    fc.property(
      events,
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }),
      (list, changes) => {
        for (const encoded of [encodeDigests([digestOf(list)])]) {
          for (const [place, value] of changes) encoded[place % encoded.length] = value
          for (const read of [decodeDigests, (wrong: Uint8Array) => new WindowSum().add(wrong)])
            try {
              read(encoded)
            } catch (error) {
              expect(error).toBeInstanceOf(MalformedBytes)
            }
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('a restart counts as an OOM kill only in the hour that reports one', () => {
  const crashed = digestOf([
    { kind: 'count', name: 'restarts', by: 3 },
    { kind: 'text', name: 'terminatedReason', at: 0, text: 'Error' },
  ])
  const killed = digestOf(
    [
      { kind: 'count', name: 'restarts', by: 2 },
      { kind: 'text', name: 'terminatedReason', at: 0, text: 'OOMKilled' },
    ],
    hour + 1,
  )
  expect(oomKills(crashed)).toBe(0)
  expect(mergeWindow([killed, crashed]).oomKills).toBe(2)
  expect(mergeWindow([killed, crashed]).restarts).toBe(5)
})

test('adjoining windows add up to the whole', () => {
  fc.assert(
    fc.property(
      fc.array(events, { minLength: 1, maxLength: 8 }),
      fc.nat({ max: 9 * 3_600_000 }),
      (lists, cutMs) => {
        const digests = () => lists.map((list, index) => digestOf(list, hour + index))
        const { to } = hoursOfWindow(0, start * 1000 + cutMs)
        const whole = mergeWindow(digests())
        const early = mergeWindow(digests(), hour, to)
        const late = mergeWindow(digests(), to, hour + 9)
        expect(early.cpu.merge(late.cpu).parts()).toEqual(whole.cpu.parts())
        expect(early.samples + late.samples).toBe(whole.samples)
        expect(early.oomKills + late.oomKills).toBe(whole.oomKills)
      },
    ),
  )
})

test('sums read from bytes equal those of merged digests', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(events, { maxLength: 4 }), { maxLength: 4 }),
      fc.nat({ max: 16 }),
      fc.nat({ max: 16 }),
      (days, a, b) => {
        const packs = days.map((lists, day) =>
          lists.map((list, index) => digestOf(list, hour + day * 4 + index)),
        )
        const [from, to] = [hour + Math.min(a, b), hour + Math.max(a, b)]
        const sum = new WindowSum()
        for (const pack of packs) sum.add(encodeDigests(pack), from, to)
        const { hours, ...merged } = mergeWindow(packs.flat(), from, to)
        const summed = sum.total()
        expect(summed.cpu.parts()).toEqual(merged.cpu.parts())
        expect(summed.memory.parts()).toEqual(merged.memory.parts())
        expect({ ...summed, cpu: 0, memory: 0 }).toEqual({ ...merged, cpu: 0, memory: 0 })
        expect(sum.hours).toBe(hours.length)
      },
    ),
  )
})

test('rows that earlier releases wrote with the sums of a day in front are read by their hours', () => {
  fc.assert(
    fc.property(events, (list) => {
      const digest = digestOf(list)
      const sums = new ByteWriter()
      writeDistribution(sums, digest.cpu)
      writeDistribution(sums, digest.memory)
      const row = Uint8Array.of(
        2,
        ...varintOf(sums.length),
        ...sums.view(),
        ...encodeDigests([digest]).subarray(2),
      )
      expect(decodeDigests(row).map(bytes)).toEqual([digest].map(bytes))
    }),
  )
})

function varintOf(value: number): Uint8Array {
  const writer = new ByteWriter()
  writer.varint(value)
  return writer.finish()
}

test('bytes of version 1 are read correctly', () => {
  const written =
    '01a0c21e67030f3c08038080808004000103096b6ec3b674656e2d3104f001f0b703f236ee1a1388b506031ff09406' +
    '660168020104f001f0b703f236ee1a1388b506031ff0940666'
  const meant = [0, 1].map((restarts) => {
    const digest = emptyDigest(hour + restarts)
    const from = digest.hour * hourSeconds
    digest.cpu.add(250_000, 15, 3_750_123)
    digest.cpu.add(1_000_000, 45)
    digest.memory.add(2 ** 28)
    digest.samples = 3
    digest.firstAt = from + 15
    digest.lastAt = from + 60
    setText(digest, 'node', 'knöten-1', from + 3)
    setNumber(digest, 'memoryLimitBytes', 2 ** 30, from + 3)
    digest.restarts = restarts
    return digest
  })
  expect(decodeDigests(Buffer.from(written, 'hex')).map(bytes)).toEqual(meant.map(bytes))
})

test('of several sources the most complete one counts, and parts of one source are merged', () => {
  const sample = (at: number, cpu = 1000): Event => ({ kind: 'sample', at, cpu, memory: 1 })
  const [combined] = combineHours([
    { source: 'push', digest: digestOf([sample(1)]) },
    { source: 'pull', digest: digestOf([sample(1), sample(2)]) },
    { source: 'push', digest: digestOf([sample(2), sample(3, 9000)]) },
  ])
  expect(combined?.samples).toBe(6)
  expect(combined?.cpu.max).toBe(9000)
})

test('formats of earlier releases are read, and unknown later formats are refused', () => {
  const digest = emptyDigest(hour)
  digest.cpu.add(1000, 60)
  digest.samples = 1
  digest.firstAt = digest.lastAt = start + 7
  const stored = encodeDigests([digest])
  // The version comes first, because readers of other releases depend on it.
  expect([...stored.subarray(0, 2)]).toEqual([3, 0])
  expect(decodeDigests(stored)).toEqual([digest])
  for (const version of [0, 4])
    expect(() => decodeDigests(Uint8Array.from([version, ...stored.subarray(1)]))).toThrow(
      `digests of version ${version}; this program reads 3`,
    )
})

test('rows without marks are read as version 2', () => {
  const digest = digestOf([{ kind: 'sample', at: 7, cpu: 1000, memory: 5 }])
  const [, ...rest] = encodeDigests([digest])
  expect(decodeDigests(Uint8Array.from([2, ...rest]))).toEqual([digest])
})

test('marks over hours: the highest of the six-hour lows of the heap, and the last limit', () => {
  const over = (lows: readonly number[]) => {
    const marks = new MarksOverHours()
    for (const [index, heapLowKib] of lows.entries())
      marks.add({
        ...noMarks,
        heapLowKib,
        heapLimitKib: 900 + index,
        cacheLowKib: 50 - index,
        rssHighKib: index,
      })
    return marks.total
  }
  const rising = [100, 200, 300, 400, 500]
  expect(over([...rising, ...rising, ...rising])?.heapLowKib).toBe(100)
  // The heap is in use by day, not by night.
  const daily = [...Array(12).fill(600), ...Array(12).fill(100)]
  expect(over(daily)).toMatchObject({ heapLowKib: 600, heapLimitKib: 923, cacheLowKib: 27, rssHighKib: 23 })
  expect(over([300, 200])?.heapLowKib).toBe(200)
  expect(new MarksOverHours().total).toBeUndefined()
  const pod = { ...noMarks, rssHighKib: 5, cacheLowKib: 9, heapLowKib: 3 }
  expect(widerMarks(pod, { ...noMarks, rssHighKib: 2, cacheLowKib: 4, heapLowKib: 7 })).toMatchObject({
    rssHighKib: 5,
    cacheLowKib: 4,
    heapLowKib: 7,
  })
})
