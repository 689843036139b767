import { ByteReader, MalformedBytes } from '../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../runtime/bytes/byte-writer.ts'
import type { StoredDecision } from '../store/port-decisions.ts'
import type { SizeDecision } from './decision.ts'

/**
 * A decision as bytes: a byte for the format, then the decision without its day as one value. Each value begins with its tag:
 *
 *     0 to 2       null, false, true
 *     3            number: the upper 56 bits of a float64, rounded, lowest byte first
 *     4            integer from 240: varint
 *     5            text: length and UTF-8 bytes
 *     6            list: count (varint), values
 *     7            object: count (varint); for each member, the position of its name in memberNames (byte), its value.
 *                  255 is followed by a name that is not there: length and UTF-8 bytes
 *     16 to 255    integer from 0 to 239
 *
 * 56 bits keep thirteen digits. Sizes are rounded up, so that fewer could turn 0.2 cores into 201 millicores. A decision takes 300 to
 * 500 bytes.
 */
export const encodeDecision = ({ day: _, ...decision }: SizeDecision): Uint8Array => encodeValue(decision)

export function encodeValue(decision: object): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(format)
  write(writer, decision)
  return writer.finish()
}

/** Returns undefined if a version of the program with another format wrote it. */
export function decodeDecision({
  day,
  bytes,
}: Pick<StoredDecision, 'day' | 'bytes'>): SizeDecision | undefined {
  const decision = decodeValue(bytes) as Omit<SizeDecision, 'day'> | undefined
  return decision && { day, ...decision }
}

export function decodeValue(bytes: Uint8Array): unknown {
  const reader = new ByteReader(bytes)
  return reader.byte() === format ? read(reader, new DataView(new ArrayBuffer(8))) : undefined
}

/** Increase it when the meaning of a member changes, or when names are removed or sorted. Names may be added at the end. */
const format = 1

const memberNames: readonly string[] = [
  ...['evidence', 'decidedAt', 'late', 'current', 'replicas'],
  ...['cpuRequest', 'cpuLimit', 'memoryRequest', 'memoryLimit'],
  ...['hour', 'seenHours', 'daysSinceFirst', 'isTrained', 'sampledSeconds', 'modelVersion', 'job', 'init'],
  ...['intermittent', 'restarts', 'preferred', 'cpu', 'memory', 'risks', 'shortfalls'],
  ...['together', 'busiest', 'age', 'reachHours', 'mean', 'p50', 'p95', 'p99', 'p995', 'p999', 'peak14'],
  ...['scaled', 'levels', 'peakEver', 'policies', 'startPeak', 'throttledShare', 'throttledMinutes'],
  ...['limitQuantile', 'peakSeen', 'kills', 'leak', 'cache', 'flatTop', 'facts', 'count', 'peak'],
  ...['hoursSince', 'peakSince', 'days', 'gibPerDay', 'gib', 'ofGib', 'counts', 'topGib', 'lowGib', 'at'],
  ...['rssGib', 'cacheGib', 'mappedGib', 'heapLowGib', 'heapLimitGib', 'nonHeapGib', 'kernelPeakGib'],
  ...['profile', 'risk', 'shortfall', 'policy'],
  ...['growth', 'largest', 'modelMoves', 'throttledSinceRaise', 'sinceRaise', 'sizes', 'replaced', 'repeats'],
]
/** In place of a position: the name follows as text. */
const otherName = 255
const positionOf = new Map(memberNames.map((name, index) => [name, index]))

const tags = {
  null: 0,
  false: 1,
  true: 2,
  number: 3,
  integer: 4,
  text: 5,
  list: 6,
  object: 7,
  small: 16,
} as const
const smallIntegers = 256 - tags.small

function write(writer: ByteWriter, value: unknown): void {
  if (typeof value === 'number') writeNumber(writer, value)
  else if (typeof value === 'boolean') writer.byte(value ? tags.true : tags.false)
  else if (typeof value === 'string') {
    writer.byte(tags.text)
    writer.text(value)
  } else if (Array.isArray(value)) {
    writer.byte(tags.list)
    writer.varint(value.length)
    for (const item of value) write(writer, item)
  } else if (value === null) writer.byte(tags.null)
  else writeObject(writer, value as object)
}

/** Members that are undefined are left out. */
function writeObject(writer: ByteWriter, value: object): void {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  writer.byte(tags.object)
  writer.varint(members.length)
  for (const [name, member] of members) {
    const position = positionOf.get(name)
    writer.byte(position ?? otherName)
    if (position === undefined) writer.text(name)
    write(writer, member)
  }
}

function writeNumber(writer: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
    if (value < smallIntegers) writer.byte(tags.small + value)
    else {
      writer.byte(tags.integer)
      writer.varint(value)
    }
    return
  }
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value, true)
  view.setBigUint64(0, view.getBigUint64(0, true) + 0x80n, true)
  writer.byte(tags.number)
  writer.raw(new Uint8Array(view.buffer, 1))
}

function read(reader: ByteReader, float: DataView): unknown {
  const tag = reader.byte()
  if (tag >= tags.small) return tag - tags.small
  switch (tag) {
    case tags.null:
      return null
    case tags.false:
      return false
    case tags.true:
      return true
    case tags.number:
      return readNumber(reader, float)
    case tags.integer:
      return reader.varint()
    case tags.text:
      return reader.text()
    case tags.list:
      return Array.from({ length: reader.count(1) }, () => read(reader, float))
    case tags.object:
      return readObject(reader, float)
    default:
      throw new MalformedBytes(`has a value with the tag ${tag}`)
  }
}

function readNumber(reader: ByteReader, float: DataView): number {
  for (let byte = 1; byte < 8; byte++) float.setUint8(byte, reader.byte())
  return float.getFloat64(0, true)
}

function readObject(reader: ByteReader, float: DataView): object {
  const members: Record<string, unknown> = {}
  for (let left = reader.count(2); left > 0; left--) {
    const position = reader.byte()
    const name = position === otherName ? reader.text() : memberNames[position]
    if (name === undefined) throw new MalformedBytes(`has a member with the position ${position}`)
    members[name] = read(reader, float)
  }
  return members
}
