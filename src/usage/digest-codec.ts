import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts'
import type { Digest, NumberRegister, TextRegister } from './digest.ts'
import { counterNames, emptyDigest, hourSeconds, numberNames, textNames } from './digest.ts'
import { readDistribution, writeDistribution } from './distribution-codec.ts'

/**
 * Digests of one subject in bytes, hours ascending; v is a varint.
 *
 *   | v version = 1 | digest ... |
 *
 *   digest     | v hours since the digest before (the first: since 1970) | v fields | one group for each bit of fields, lowest first |
 *   1  times     | v samples | v first | v last |                              seconds into the hour
 *   2  numbers   | v present | v at, v last, v max - last, for each present |  bits in the order of numberNames
 *   4  texts     | v present | v at, v length, UTF-8, for each present |       bits in the order of textNames
 *   8  counters  | v present | v count, for each present |                     bits in the order of counterNames
 *   16 rest      | v startedAt | v memoryPeakBytes | v init |
 *   32 cpu       | distribution |
 *   64 memory    | distribution |
 *
 * times, numbers, texts and rest that are left out are those of the digest before (times: at the same second of the hour),
 * and at first nothing. counters, cpu and memory that are left out are nothing.
 */
export function encodeDigests(digests: readonly Digest[]): Uint8Array {
  const writer = new ByteWriter()
  writer.varint(version)
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
      (digest.memory.count === 0 ? 0 : 64)
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
    if (fields & 32) writeDistribution(writer, digest.cpu)
    if (fields & 64) writeDistribution(writer, digest.memory)
    before = digest
  }
  return writer.finish()
}

export function decodeDigests(bytes: Uint8Array): Digest[] {
  const reader = new ByteReader(bytes)
  const found = reader.varint()
  if (found !== version)
    throw new MalformedBytes(`digests of version ${found}; this program reads ${version}`)
  const digests: Digest[] = []
  let before = emptyDigest(0)
  while (reader.offset < reader.end) {
    before = readDigest(reader, before)
    digests.push(before)
  }
  return digests
}

function readDigest(reader: ByteReader, before: Digest): Digest {
  const digest = emptyDigest(before.hour + reader.varint())
  const start = digest.hour * hourSeconds
  const shift = start - before.hour * hourSeconds
  const fields = reader.varint()
  const [samples, first, last] =
    fields & 1 ? [reader.varint(), reader.varint(), reader.varint()] : timesOf(before)
  digest.samples = samples!
  digest.firstAt = samples === 0 ? 0 : start + first!
  digest.lastAt = samples === 0 ? 0 : start + last!
  if (fields & 2)
    readPresent(reader, numberNames, (name) => {
      const at = start + reader.varint()
      const value = reader.varint()
      digest[name] = { at, last: value, max: value + reader.varint() }
    })
  else for (const name of numberNames) digest[name] = shifted(before[name], shift)
  if (fields & 4)
    readPresent(reader, textNames, (name) => {
      digest[name] = { at: start + reader.varint(), text: reader.text() }
    })
  else for (const name of textNames) digest[name] = shifted(before[name], shift)
  if (fields & 8)
    readPresent(reader, counterNames, (name) => {
      digest[name] = reader.varint()
    })
  const [startedAt, peak, init] =
    fields & 16 ? [reader.varint(), reader.varint(), reader.varint()] : restOf(before)
  digest.startedAt = startedAt!
  digest.memoryPeakBytes = peak!
  digest.init = init === 1
  if (fields & 32) digest.cpu.merge(readDistribution(reader))
  if (fields & 64) digest.memory.merge(readDistribution(reader))
  return digest
}

const version = 1

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

function readPresent<Name>(reader: ByteReader, names: readonly Name[], read: (name: Name) => void): void {
  const present = reader.varint()
  for (const [index, name] of names.entries()) if (present & (1 << index)) read(name)
}
