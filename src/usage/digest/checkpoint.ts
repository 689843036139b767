import { subjectOfKey } from '../../domain/subject.ts'
import { measures } from '../../domain/usage-series.ts'
import { ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import type { EntityRow, OpenedPartition, SubjectRow } from '../port.ts'
import type { Accumulator } from './accumulator.ts'
import { encodeDigests } from './codec.ts'
import { decodeEntity, type Entity, encodeEntity, entityKey } from './entities.ts'
import { closeHours, newSubjectUsage, type SubjectUsage } from './subject-usage.ts'

/** The accumulator may take further samples while they are being committed. */
export interface CheckpointChanges {
  readonly subjects: readonly SubjectRow[]
  readonly entities: readonly EntityRow[]
  readonly versions: ReadonlyMap<SubjectUsage, number>
  readonly changedEntities: readonly Entity[]
}

export function collectChanges(
  accumulator: Accumulator,
  among: Iterable<SubjectUsage> = accumulator.subjects.values(),
): CheckpointChanges {
  const subjects: SubjectRow[] = []
  const versions = new Map<SubjectUsage, number>()
  for (const usage of among) {
    if (usage.version === usage.committedVersion) continue
    versions.set(usage, usage.version)
    const digests = []
    for (const { part, digest, version } of usage.open) {
      if (version <= usage.committedVersion) continue
      accumulator.facts.describe(usage, digest)
      digests.push({ hour: digest.hour, part, bytes: encodeDigests([digest]) })
    }
    subjects.push({ key: usage.key, subject: usage.subject, state: encodeState(usage), digests })
  }
  const changed = accumulator.facts.changedEntities
  for (const entity of accumulator.sources.flush()) changed.add(entity)
  const changedEntities = [...changed]
  changed.clear()
  return { subjects, entities: changedEntities.map(entityRow), versions, changedEntities }
}

/** Called after the changes are stored: finished hours are released. */
export function settleChanges(accumulator: Accumulator, changes: CheckpointChanges): void {
  for (const [usage, version] of changes.versions) usage.committedVersion = version
  for (const usage of accumulator.subjects.values()) closeHours(usage, accumulator.newestMs)
}

export function requeueChanges(accumulator: Accumulator, changes: CheckpointChanges): void {
  for (const entity of changes.changedEntities) accumulator.facts.changedEntities.add(entity)
}

export function restoreAccumulator(accumulator: Accumulator, opened: OpenedPartition): void {
  for (const { key, state } of opened.subjects) accumulator.adopt(decodeState(key, state))
  for (const { key, kind, json } of opened.entities) {
    const entity = decodeEntity(key, json)
    if (kind === 'source') accumulator.sources.adopt(entity)
    else accumulator.facts.adoptEntity(entity)
  }
}

const entityRow = (entity: Entity): EntityRow => ({
  key: entityKey(entity.ref),
  kind: entity.ref.kind,
  cluster: entity.ref.cluster,
  lastHour: entity.lastHour,
  json: encodeEntity(entity),
})

/** Divides the changes into pieces of at most `most` subjects. There is at least one piece. */
export function* checkpointPieces(
  accumulator: Accumulator,
  most: number,
): Generator<{ changes: CheckpointChanges; isLast: boolean }> {
  const changed = [...accumulator.subjects.values()].filter(
    ({ version, committedVersion }) => version !== committedVersion,
  )
  for (let from = 0; from === 0 || from < changed.length; from += most) {
    const changes = collectChanges(accumulator, changed.slice(from, from + most))
    yield { changes, isLast: from + most >= changed.length }
  }
}

/**
 * The state of one subject that must survive a restart, so that nothing counts twice and no counter loses its last value;
 * v is a varint.
 *
 *   | v version = 1 | v newestMs | v touchedMs | channel ... |
 *   | v version = 2 | v newestMs | v touchedMs | v waiting | v newestMs - timeMs, zigzag | 8 value, each | channel ... |
 *   | v version = 3 | v newestMs | v touchedMs | v startMs | v firstMs | v amount | v beforeMs | channel ... |
 *
 *   channel  | byte measure x 2 + based | v newestMs - lastMs, zigzag | 4 instance | 4 source | v rank | 8 lastValue | v retired | 4 instance, each |
 *
 * Version 2 is written only if samples wait and version 3 only if a start is pending, so that earlier releases can read the
 * state of all other subjects. Samples wait for processes alone, starts for containers alone.
 */
function encodeState(usage: SubjectUsage): Uint8Array {
  const writer = new ByteWriter()
  const { waiting, start } = usage
  writer.varint(waiting !== undefined ? 2 : start !== undefined ? 3 : 1)
  writer.varint(usage.newestMs)
  writer.varint(usage.touchedMs)
  if (waiting !== undefined) {
    writer.varint(waiting.length / 2)
    for (let index = 0; index < waiting.length; index += 2) {
      writer.signed(usage.newestMs - waiting[index]!)
      writer.float64(waiting[index + 1]!)
    }
  } else if (start !== undefined)
    for (const part of [start.startMs, start.firstMs, start.amount, start.beforeMs]) writer.varint(part)
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

function decodeState(key: string, bytes: Uint8Array): SubjectUsage {
  const reader = new ByteReader(bytes)
  const storedVersion = reader.varint()
  if (storedVersion < 1 || storedVersion > 3)
    throw new MalformedBytes(`usage state of version ${storedVersion}; this program reads 1 to 3`)
  const usage = newSubjectUsage(key, subjectOfKey(key))
  usage.newestMs = reader.varint()
  usage.touchedMs = reader.varint()
  if (storedVersion === 2) {
    usage.waiting = []
    for (let left = reader.count(9); left > 0; left--)
      usage.waiting.push(usage.newestMs - reader.signed(), reader.float64())
  }
  if (storedVersion === 3) {
    const [startMs, firstMs, amount, beforeMs] = [0, 0, 0, 0].map(() => reader.varint()) as Four
    usage.start = { startMs, firstMs, amount, beforeMs }
  }
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

type Four = [number, number, number, number]
