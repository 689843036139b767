import { type ByteReader, MalformedBytes } from '../../domain/byte-reader.ts'
import { ByteWriter } from '../../domain/byte-writer.ts'
import { type Digest, numberNames, textNames } from '../digest/digest.ts'
import { isOwnerKept } from './hour-rules.ts'

/** What became known of a container before one of the day's hours with usage. */
export interface FactChange {
  /** How many hours with usage came before. */
  readonly index: number
  /** In the order of numberNames; undefined: as before. */
  readonly numbers: readonly (number | undefined)[]
  /** In the order of textNames; undefined: as before. */
  readonly texts: readonly (string | undefined)[]
}

/** Requests, limits, node, workload and reason of the last end, each when it became another. */
export function factsOfDay(digests: readonly Digest[]): readonly FactChange[] {
  const numbers: (number | undefined)[] = numberNames.map(() => undefined)
  const texts: (string | undefined)[] = textNames.map(() => undefined)
  const changes: FactChange[] = []
  let index = 0
  for (const digest of digests) {
    const newNumbers = numberNames.map((name, at) => {
      const told = digest[name]?.last
      return told === numbers[at] ? undefined : told
    })
    const newTexts = textNames.map((name, at) => {
      const told = digest[name]?.text
      if (told === undefined || told === texts[at]) return undefined
      return name === 'workload' && isOwnerKept(texts[at], told) ? undefined : told
    })
    for (const [at, told] of newNumbers.entries()) numbers[at] = told ?? numbers[at]
    for (const [at, told] of newTexts.entries()) texts[at] = told ?? texts[at]
    if ([...newNumbers, ...newTexts].some((told) => told !== undefined))
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
