import type { EntityRow, OpenedPartition, SubjectRow } from '../port.ts'
import type { Accumulator } from './accumulator.ts'
import { encodeDigests } from './codec.ts'
import { decodeEntity, type Entity, encodeEntity, entityKey } from './entities.ts'
import { decodeState, encodeState } from './subject-codec.ts'
import { closeHours, type SubjectUsage } from './subject-usage.ts'

/** What changed since the last settled checkpoint; the accumulator may go on while it is being committed. */
export interface CheckpointChanges {
  readonly subjects: readonly SubjectRow[]
  readonly entities: readonly EntityRow[]
  readonly versions: ReadonlyMap<SubjectUsage, number>
  readonly changedEntities: readonly Entity[]
}

/** Collects the changes of some subjects or of all. Facts about entities are part of the first batch. */
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
  const changedEntities = [...accumulator.facts.changedEntities]
  accumulator.facts.changedEntities.clear()
  return { subjects, entities: changedEntities.map(entityRow), versions, changedEntities }
}

/** Called after the changes are stored: finished hours are released. */
export function settleChanges(accumulator: Accumulator, changes: CheckpointChanges): void {
  for (const [usage, version] of changes.versions) usage.committedVersion = version
  for (const usage of accumulator.subjects.values()) closeHours(usage, accumulator.newestMs)
}

/** The changes could not be kept: they will be among the next. */
export function requeueChanges(accumulator: Accumulator, changes: CheckpointChanges): void {
  for (const entity of changes.changedEntities) accumulator.facts.changedEntities.add(entity)
}

export function restoreAccumulator(accumulator: Accumulator, opened: OpenedPartition): void {
  for (const { key, state } of opened.subjects) accumulator.adopt(decodeState(key, state))
  for (const { key, json } of opened.entities) accumulator.facts.adoptEntity(decodeEntity(key, json))
}

const entityRow = (entity: Entity): EntityRow => ({
  key: entityKey(entity.ref),
  kind: entity.ref.kind,
  cluster: entity.ref.cluster,
  lastHour: entity.lastHour,
  json: encodeEntity(entity),
})

/** The changes in pieces of limited size; at least one piece. */
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
