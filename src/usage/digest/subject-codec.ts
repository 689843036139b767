import { ByteReader, MalformedBytes } from '../../domain/byte-reader.ts'
import { ByteWriter } from '../../domain/byte-writer.ts'
import { subjectOfKey } from '../../domain/subject.ts'
import { measures } from '../../domain/usage-series.ts'
import type { SubjectUsage } from './subject-usage.ts'
import { newSubjectUsage } from './subject-usage.ts'

/**
 * What must survive a restart of one subject, so that nothing counts twice and no counter loses its base; v is a varint.
 *
 *   | v version = 1 | v newestMs | v touchedMs | channel ... |
 *
 *   channel  | byte measure x 2 + based | v newestMs - lastMs, zigzag | 4 instance | 4 source | v rank | 8 lastValue | v retired | 4 instance, each |
 */
export function encodeState(usage: SubjectUsage): Uint8Array {
  const writer = new ByteWriter()
  writer.varint(version)
  writer.varint(usage.newestMs)
  writer.varint(usage.touchedMs)
  for (const [measure, channel] of usage.channels) {
    writer.byte(measures.indexOf(measure) * 2 + (channel.based ? 1 : 0))
    writer.signed(usage.newestMs - channel.lastMs)
    writer.uint32(channel.instance)
    writer.uint32(channel.source)
    writer.varint(channel.rank)
    writer.float64(channel.lastValue)
    writer.varint(channel.retired.length)
    for (const instance of channel.retired) writer.uint32(instance)
  }
  return writer.finish()
}

export function decodeState(key: string, bytes: Uint8Array): SubjectUsage {
  const reader = new ByteReader(bytes)
  const found = reader.varint()
  if (found !== version)
    throw new MalformedBytes(`usage state of version ${found}; this program reads ${version}`)
  const usage = newSubjectUsage(key, subjectOfKey(key))
  usage.newestMs = reader.varint()
  usage.touchedMs = reader.varint()
  while (reader.offset < reader.end) {
    const head = reader.byte()
    const measure = measures[head >> 1]
    if (measure === undefined) throw new MalformedBytes(`there is no measure ${head >> 1}`)
    usage.channels.set(measure, {
      based: head % 2 === 1,
      lastMs: usage.newestMs - reader.signed(),
      instance: reader.uint32(),
      source: reader.uint32(),
      rank: reader.varint(),
      lastValue: reader.float64(),
      retired: Array.from({ length: reader.count(4) }, () => reader.uint32()),
    })
  }
  return usage
}

const version = 1
