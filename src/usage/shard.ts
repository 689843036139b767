import { hash } from 'node:crypto'
import type { SeriesMeaning } from '../domain/usage-series.ts'
import type { Partition } from './port.ts'

/**
 * An organisation's usage is divided into shards, which nodes digest. A namespace, or a machine, is in one shard as a
 * whole, so that facts about a pod reach its containers. The number of a shard is a sum of one byte for each name, so that
 * it can be computed from parts that are known at different times.
 */
export const shardCount = 16

/** The shard of usage that is not divided. */
export const unsplit = 0

/** Returns a number from 1 to the number of shards. */
export const shardOf = (...hashes: readonly number[]): number =>
  1 + (hashes.reduce((sum, byte) => sum + byte, 0) % shardCount)

/** Returns a number from 0 to 255. PostgreSQL computes the same in its usage/tables.ts. */
export const placeHash = (kind: 'organisation' | 'cluster' | 'namespace' | 'machine', name: string): number =>
  hash('sha256', `${kind}\0${name}`, 'buffer')[0]!

/** From 256 on, its labels do not name a cluster, so that the cluster of the request applies. */
export function shardHashOf(meaning: SeriesMeaning): number {
  const { cluster, namespace, machine } = namesOf(meaning)
  if (machine !== undefined) return placeHash('machine', machine)
  const namespaceHash = placeHash('namespace', namespace)
  return cluster === ''
    ? namespaceHash + withoutCluster
    : (namespaceHash + placeHash('cluster', cluster)) % 256
}

/** Completes the hash of a series, once the cluster of the request is known. */
export const withClusterHash = (shardHash: number, clusterHash: number): number =>
  shardHash < withoutCluster ? shardHash : shardHash - withoutCluster + clusterHash

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

/** Prefix of the leases of all partitions. */
export const partitionLeases = 'usage/'

/** The holder of this lease digests the partition. */
export const partitionLease = ({ organisation, source, shard = 0 }: Partition): string =>
  `${partitionLeases}${encodeURIComponent(organisation)}/${source}${shard === 0 ? '' : `#${shard}`}`
