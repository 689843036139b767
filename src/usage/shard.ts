import { hash } from 'node:crypto'
import type { SeriesMeaning } from '../domain/usage-series.ts'
import type { Partition } from './port.ts'

/**
 * How an organisation's usage is divided among nodes: all of a namespace, and all of a machine, in one shard, so that what is
 * said of a pod meets its containers. The number is the sum of one byte for each name, so that it can be made of parts that are
 * known at different times.
 */
export const shardCount = 16

/** What is not divided is in shard 0. */
export const unsplit = 0

/** From 1 to the number of shards. */
export const shardOf = (...hashes: readonly number[]): number =>
  1 + (hashes.reduce((sum, one) => sum + one, 0) % shardCount)

/** From 0 to 255. PostgreSQL computes the same in its usage/tables.ts. */
export const placeHash = (kind: 'organisation' | 'cluster' | 'namespace' | 'machine', name: string): number =>
  hash('sha256', `${kind}\0${name}`, 'buffer')[0]!

/** The place of a series in one number from 0 on, as far as its labels give it: the cluster may be that of the request. */
export function placeOf(meaning: SeriesMeaning): number {
  const { cluster, namespace, machine } = namesOf(meaning)
  if (machine !== undefined) return placeHash('machine', machine)
  const own = placeHash('namespace', namespace)
  return cluster === '' ? own + withoutCluster : (own + placeHash('cluster', cluster)) % 256
}

/** The hash of a place, once the cluster of the request is known. */
export const hashOfPlace = (place: number, clusterHash: number): number =>
  place < withoutCluster ? place : place - withoutCluster + clusterHash

const withoutCluster = 256

function namesOf(meaning: SeriesMeaning): { cluster: string; namespace: string; machine?: string } {
  if (meaning.fact === 'pod' || meaning.fact === 'heap') return meaning
  if (meaning.fact === 'entity') {
    const { kind, cluster, namespace, name } = meaning.entity
    return kind === 'machine' ? { cluster, namespace, machine: name } : { cluster, namespace }
  }
  const { subject } = meaning
  return subject.kind === 'container' ? subject : { cluster: '', namespace: '', machine: subject.vm }
}

/** The holder of this lease digests the partition. */
export const partitionLease = ({ organisation, source, shard = 0 }: Partition): string =>
  `usage/${encodeURIComponent(organisation)}/${source}${shard === 0 ? '' : `#${shard}`}`
