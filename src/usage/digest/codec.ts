import { hourSeconds } from '../../domain/time.ts'
import { ByteReader } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import type { Distribution } from '../distribution/distribution.ts'
import { DistributionDecoder, DistributionReader } from '../distribution/read-distribution.ts'
import { writeDistribution } from '../distribution/write-distribution.ts'
import { DigestCursor, digestVersion } from './cursor.ts'
import type { Digest, NumberRegister, TextRegister } from './digest.ts'
import { counterNames, emptyDigest, numberNames, textNames } from './digest.ts'
import { markNames, writeMarks } from './memory-marks.ts'

/**
 * Digests of one subject in bytes, hours ascending; v is a varint.
 *
 *   | v version = 3 | v bytes of sums | sums | digest ... |      no sums are written any more: 0 bytes
 *
 *   sums       | distribution of cpu | distribution of memory |     of all digests together, whose hours are of one day
 *   digest     | v hours since the digest before (the first: since 1970) | v fields | one group for each bit of fields, lowest first |
 *   1  times     | v samples | v first | v last |                              seconds into the hour
 *   2  numbers   | v present | v at, v last, v max - last, for each present |  bits in the order of numberNames
 *   4  texts     | v present | v at, v length, UTF-8, for each present |       bits in the order of textNames
 *   8  counters  | v present | v count, for each present |                     bits in the order of counterNames
 *   16 rest      | v startedAt | v memoryPeakBytes | v init |
 *   32 cpu       | distribution |
 *   64 memory    | distribution |
 *   128 marks    | v present | v KiB, for each present |                       bits in the order of markNames; before cpu
 *
 * If times, numbers, texts, rest or marks are left out, those of the digest before apply (times: at the same second of the
 * hour); the first digest has none then. If counters, cpu or memory are left out, they are zero or empty.
 * Version 2 had no marks. Version 1 had no sums, and distributions as in codec-v1.ts.
 */
export function encodeDigests(digests: readonly Digest[]): Uint8Array {
  const writer = new ByteWriter()
  writer.varint(digestVersion)
  writer.varint(0)
  writeDigests(writer, digests)
  return writer.finish()
}

function writeDigests(writer: ByteWriter, digests: readonly Digest[]): void {
  let before: Digest | undefined
  for (const digest of digests) {
    const base = before ?? emptyDigest(0)
    const times = timesOf(digest)
    const fields =
      (times.join() === timesOf(base).join() ? 0 : 1) |
      (numberNames.every((name) => sameNumber(digest, base, name)) ? 0 : 2) |
      (textNames.every((name) => sameText(digest, base, name)) ? 0 : 4) |
      (counterNames.every((name) => digest[name] === 0) ? 0 : 8) |
      (restOf(digest).join() === restOf(base).join() ? 0 : 16) |
      (digest.cpu.count === 0 ? 0 : 32) |
      (digest.memory.count === 0 ? 0 : 64) |
      (markNames.every((name) => digest[name] === base[name]) ? 0 : 128)
    writer.varint(digest.hour - base.hour)
    writer.varint(fields)
    if (fields & 1) for (const value of times) writer.varint(value)
    if (fields & 2)
      writePresent(writer, numberNames, digest, (register: NumberRegister) => {
        writer.varint(register.at - digest.hour * hourSeconds)
        writer.varint(register.last)
        writer.varint(register.max - register.last)
      })
    if (fields & 4)
      writePresent(writer, textNames, digest, (register: TextRegister) => {
        writer.varint(register.at - digest.hour * hourSeconds)
        writer.text(register.text)
      })
    if (fields & 8) writePresent(writer, counterNames, digest, (count: number) => writer.varint(count))
    if (fields & 16) for (const value of restOf(digest)) writer.varint(value)
    if (fields & 128) writeMarks(writer, digest)
    if (fields & 32) writeDistribution(writer, digest.cpu)
    if (fields & 64) writeDistribution(writer, digest.memory)
    before = digest
  }
}

export function decodeDigests(bytes: Uint8Array): Digest[] {
  const digests: Digest[] = []
  const cursor = new DigestCursor(new ByteReader(bytes))
  const decoder = new DistributionDecoder()
  for (;;) {
    const cpu = new DistributionReader(decoder)
    const memory = new DistributionReader(decoder)
    if (!cursor.next(cpu, memory)) return digests
    digests.push(digestAt(cursor, cpu.kept, memory.kept))
  }
}

function digestAt(cursor: DigestCursor, cpu: Distribution, memory: Distribution): Digest {
  const start = cursor.startSecond
  const digest: Digest = { ...emptyDigest(cursor.hour), cpu, memory }
  if (cursor.samples > 0) {
    digest.samples = cursor.samples
    digest.firstAt = start + cursor.first
    digest.lastAt = start + cursor.last
  }
  digest.startedAt = cursor.startedAt
  digest.memoryPeakBytes = cursor.memoryPeakBytes
  digest.init = cursor.init
  for (const [index, name] of counterNames.entries()) digest[name] = cursor.counters[index]!
  for (const name of markNames) digest[name] = cursor.marks[name]
  for (const [index, name] of numberNames.entries()) digest[name] = shifted(cursor.numbers[index], start)
  for (const [index, name] of textNames.entries()) digest[name] = shifted(cursor.texts[index], start)
  return digest
}

function timesOf(digest: Digest): number[] {
  const start = digest.hour * hourSeconds
  return digest.samples === 0
    ? [0, 0, 0]
    : [digest.samples, Math.max(0, digest.firstAt - start), Math.max(0, digest.lastAt - start)]
}

const restOf = (digest: Digest): number[] => [digest.startedAt, digest.memoryPeakBytes, digest.init ? 1 : 0]

function sameNumber(a: Digest, b: Digest, name: (typeof numberNames)[number]): boolean {
  const [left, right] = [a[name], b[name]]
  if (left === undefined || right === undefined) return left === right
  return sameSecond(a, left, b, right) && left.last === right.last && left.max === right.max
}

function sameText(a: Digest, b: Digest, name: (typeof textNames)[number]): boolean {
  const [left, right] = [a[name], b[name]]
  if (left === undefined || right === undefined) return left === right
  return sameSecond(a, left, b, right) && left.text === right.text
}

const sameSecond = (a: Digest, left: { at: number }, b: Digest, right: { at: number }): boolean =>
  left.at - a.hour * hourSeconds === right.at - b.hour * hourSeconds

const shifted = <T extends { readonly at: number }>(register: T | undefined, by: number): T | undefined =>
  register && { ...register, at: register.at + by }

function writePresent<Name extends keyof Digest, Value>(
  writer: ByteWriter,
  names: readonly Name[],
  digest: Digest,
  write: (value: Value) => void,
): void {
  const present = names.filter((name) => digest[name] !== undefined && digest[name] !== 0)
  writer.varint(present.reduce((bits, name) => bits | (1 << names.indexOf(name)), 0))
  for (const name of present) write(digest[name] as Value)
}
