import { placeHash, shardOf } from '../usage/shard.ts'
import type { DecisionPlace, StoredDecision } from './port-decisions.ts'
import { plainBytes } from './storable.ts'
import { keyBytes } from './usage-row.ts'

/** Each part of a key ends with NUL, which no part of a place contains. */
export function placePrefix(place: DecisionPlace): string {
  return place.kind === 'container' ? `c\0${place.cluster}\0${place.namespace}\0` : `p\0${place.vm}\0`
}

/** Converts between names in a place and the keys that both databases store as bytes. */
export function decisionKeys(place: DecisionPlace) {
  const prefix = placePrefix(place)
  const skipped = Buffer.byteLength(prefix)
  return {
    bytesOf: (name: string): Buffer => keyBytes(prefix + name),
    fromRow: ({ subject, day, bytes }: DecisionRow): StoredDecision => ({
      name: Buffer.from(
        subject.buffer,
        subject.byteOffset + skipped,
        subject.byteLength - skipped,
      ).toString(),
      day: Number(day),
      bytes: plainBytes(bytes),
    }),
  }
}

export const decisionShard = (organisation: string, place: DecisionPlace): number =>
  shardOf(placeHash('organisation', organisation), ...placeHashes(place))

const placeHashes = (place: DecisionPlace): number[] =>
  place.kind === 'container'
    ? [placeHash('cluster', place.cluster), placeHash('namespace', place.namespace)]
    : [placeHash('machine', place.vm)]

export interface DecisionRow {
  readonly subject: Uint8Array
  readonly day: number
  readonly bytes: Uint8Array
}
