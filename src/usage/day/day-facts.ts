import { hourSeconds } from '../../domain/time.ts'
import { type ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { type Digest, intermediate, numberNames, textNames } from '../digest/digest.ts'

/** Facts about a container that changed before one of the day's hours with usage. */
export interface FactChange {
  readonly index: number
  readonly numbers: readonly (number | undefined)[]
  readonly texts: readonly (string | undefined)[]
}

/** Lists the changes of requests, limits, node, workload and termination reason in the course of a day. */
export function factsOfDay(digests: readonly Digest[]): readonly FactChange[] {
  const numbers: (number | undefined)[] = numberNames.map(() => undefined)
  const texts: (string | undefined)[] = textNames.map(() => undefined)
  const changes: FactChange[] = []
  let index = 0
  for (const digest of digests) {
    const newNumbers = numberNames.map((name, at) => {
      const reported = digest[name]?.last
      return reported === numbers[at] ? undefined : reported
    })
    const newTexts = textNames.map((name, at) => {
      const reported = digest[name]?.text
      if (reported === undefined || reported === texts[at]) return undefined
      return name === 'workload' && isOwnerKept(texts[at], reported) ? undefined : reported
    })
    for (const [at, reported] of newNumbers.entries()) numbers[at] = reported ?? numbers[at]
    for (const [at, reported] of newTexts.entries()) texts[at] = reported ?? texts[at]
    if ([...newNumbers, ...newTexts].some((reported) => reported !== undefined))
      changes.push({ index, numbers: newNumbers, texts: newTexts })
    if (digest.cpu.count > 0 || digest.memory.count > 0) index++
  }
  return changes
}

/**
 *   | v bytes | v changes | change ... |
 *
 *   change   | v index | v numbers present | v each | v texts present | v length, UTF-8, each |      bits in the order of their names
 */
export function writeFactChanges(writer: ByteWriter, changes: readonly FactChange[]): void {
  const body = new ByteWriter()
  body.varint(changes.length)
  for (const { index, numbers, texts } of changes) {
    body.varint(index)
    body.varint(bitsOf(numbers))
    for (const number of numbers) if (number !== undefined) body.varint(number)
    body.varint(bitsOf(texts))
    for (const text of texts) if (text !== undefined) body.text(text)
  }
  writer.block(body.view())
}

export function readFactChanges(reader: ByteReader): FactChange[] {
  return Array.from({ length: reader.count(3, 'changes') }, () => ({
    index: reader.below(25, 'an hour'),
    numbers: readPresent(reader, numberNames.length, () => reader.varint()),
    texts: readPresent(reader, textNames.length, () => reader.text()),
  }))
}

const bitsOf = (values: readonly unknown[]): number =>
  values.reduce<number>((bits, value, at) => (value === undefined ? bits : bits | (1 << at)), 0)

function readPresent<Value>(reader: ByteReader, length: number, read: () => Value): (Value | undefined)[] {
  const present = reader.varint()
  if (present >= 1 << length) throw new MalformedBytes(`holds ${present} of ${length} facts`)
  return Array.from({ length }, (_, at) => (present & (1 << at) ? read() : undefined))
}

/** A container without samples for longer than this did not run in between. */
const silenceSeconds = 900
/** The work that a container does only at its start is assumed to take this long. */
const startSeconds = 600

/** In the hour, or so shortly before it that its start is still visible. */
export const isStart = (startedAt: number, hour: number): boolean =>
  startedAt >= hour * hourSeconds - startSeconds && startedAt < (hour + 1) * hourSeconds

/** If only memory is reported: the time from the first sample to the last, plus one interval. */
export const secondsRun = (
  samples: number,
  { first, last }: { readonly first: number; readonly last: number },
): number => (samples < 2 ? 0 : Math.min(hourSeconds, ((last - first) * samples) / (samples - 1)))

/** Seconds since 1970, or since a day began. */
export interface Lifetime {
  readonly from: number
  readonly to: number
}

/** Periods in which a container was seen without a long silence. A period may be added in parts, in order of time. */
export class Lifetimes {
  readonly all: { from: number; to: number }[] = []
  #latest: { from: number; to: number } | undefined

  add(from: number, to: number): void {
    const latest = this.#latest
    if (latest !== undefined && from - latest.to <= silenceSeconds) {
      if (to > latest.to) latest.to = to
      return
    }
    this.#latest = { from, to }
    this.all.push(this.#latest)
  }
}

/** The owner of a ReplicaSet is not always reported; once known, it stays. */
export const isOwnerKept = (known: string | undefined, reported: string): boolean =>
  known !== undefined && known !== '' && !intermediate.test(known) && intermediate.test(reported)
