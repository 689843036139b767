import type { DatabaseSync } from 'node:sqlite'
import type { JournalEntry, ReplacedEntries } from '../../../usage/port.ts'
import { checkJournalEntry } from '../../usage-row.ts'
import type { SqlitePartitions } from './partitions.ts'

export type SqliteJournal = ReturnType<typeof sqliteJournal>

/** Appends entries to the journal, and removes those that are consumed. Runs inside a transaction. */
export function sqliteJournal(db: DatabaseSync, { ensurePartition }: SqlitePartitions) {
  const append = db.prepare(
    'INSERT INTO usage_journal (partition, received_at, format, cluster, body) VALUES (?, ?, ?, ?, ?)',
  )
  const consume = db.prepare('DELETE FROM usage_journal WHERE sequence = ? AND partition = ?')

  function consumeEntries(partition: number, consumed: readonly number[]): void {
    for (const sequence of consumed) consume.run(sequence, partition)
  }

  return {
    consumeEntries,
    appendEntries(entries: readonly JournalEntry[], replaced?: ReplacedEntries): readonly number[] {
      const sequences = entries.map((entry) => {
        checkJournalEntry(entry)
        const { receivedAt, format, cluster, body } = entry
        const partition = ensurePartition(entry.partition)
        return Number(append.run(partition, receivedAt, format, cluster, body).lastInsertRowid)
      })
      if (replaced !== undefined) consumeEntries(ensurePartition(replaced.partition), replaced.consumed)
      return sequences
    },
  }
}
