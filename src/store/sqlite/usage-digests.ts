import type { DatabaseSync } from 'node:sqlite'
import type { DigestQuery, StoredSubject } from '../../usage/port.ts'
import { hourRange, keyFromBytes, keyRange, matchesQuery, namedKeys } from '../usage-row.ts'

/** Some subjects and their rows, side by side, so that they go from thread to thread in a few large copies. */
export interface DigestPage {
  readonly keys: readonly string[]
  /** Rows of each subject. */
  readonly counts: readonly number[]
  readonly sources: readonly string[]
  /** For each row: the index of its source, and its length in bytes. */
  readonly sourceOf: Uint16Array
  readonly lengths: Uint32Array
  readonly bytes: Uint8Array
  /** The last key read; absent at the end. */
  readonly next?: string
}

type Row = [partition: number, bytes: Uint8Array]

export function sqliteDigests(db: DatabaseSync) {
  const subjects = db.prepare(
    'SELECT id, key FROM usage_subjects WHERE organisation = ? AND key >= ? AND key > ? AND key < ? ORDER BY key LIMIT ?',
  )
  const subject = db.prepare('SELECT id, key FROM usage_subjects WHERE organisation = ? AND key = ?')
  const rowsOf = db.prepare(
    `SELECT partition, bytes FROM usage_digests
     WHERE subject = ?1 AND hour >= ?2 AND hour < ?4 AND (epoch = 0 OR hour >= ?3)
     ORDER BY hour, partition, epoch, part`,
  )
  rowsOf.setReturnArrays(true)
  const sourceOf = db.prepare('SELECT source FROM usage_partitions WHERE id = ?')

  return (organisation: string, query: DigestQuery, after: string | undefined): DigestPage => {
    const { from, to } = keyRange(query)
    const hours = hourRange(query)
    const found = (
      query.keys === undefined
        ? subjects.all(organisation, from, Buffer.from(after ?? ''), to, pageLength)
        : namedKeys(query, after)
            .map((key) => subject.get(organisation, key))
            .filter((row) => row !== undefined)
    ) as { id: number; key: Uint8Array }[]
    const keys: string[] = []
    const counts: number[] = []
    const rows: Row[] = []
    let size = 0
    let next =
      query.keys === undefined && found.length === pageLength ? keyFromBytes(found.at(-1)!.key) : undefined
    for (const { id, key: bytes } of found) {
      const key = keyFromBytes(bytes)
      if (!matchesQuery(key, query)) continue
      const own = rowsOf.all(id, hours.day, hours.from, hours.to) as unknown as Row[]
      if (own.length > 0) {
        keys.push(key)
        counts.push(own.length)
        for (const row of own) {
          rows.push(row)
          size += row[1].length
        }
      }
      if (size < pageBytes) continue
      next = key
      break
    }
    const { partitions, ...columns } = sideBySide(rows, size)
    const sources = partitions.map((id) => String(sourceOf.get(id)!.source))
    return { keys, counts, sources, ...columns, ...(next === undefined ? {} : { next }) }
  }
}

export function* subjectsIn(page: DigestPage): Generator<StoredSubject> {
  let row = 0
  let offset = 0
  for (const [index, key] of page.keys.entries()) {
    const rows = Array.from({ length: page.counts[index]! }, () => {
      const source = page.sources[page.sourceOf[row]!]!
      const bytes = page.bytes.subarray(offset, offset + page.lengths[row]!)
      offset += page.lengths[row]!
      row++
      return { source, bytes }
    })
    yield { key, rows }
  }
}

function sideBySide(rows: readonly Row[], size: number) {
  const partitions: number[] = []
  const sourceOf = new Uint16Array(rows.length)
  const lengths = new Uint32Array(rows.length)
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const [index, [partition, own]] of rows.entries()) {
    let place = partitions.lastIndexOf(partition)
    if (place < 0) place = partitions.push(partition) - 1
    sourceOf[index] = place
    lengths[index] = own.length
    bytes.set(own, offset)
    offset += own.length
  }
  return { partitions, sourceOf, lengths, bytes }
}

const pageLength = 256
const pageBytes = 2 << 20
