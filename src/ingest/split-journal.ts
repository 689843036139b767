import { withLease } from '../store/with-lease.ts'
import type { JournalEntry, Partition, StoredEntry } from '../usage/port.ts'
import { partitionLease } from '../usage/shard.ts'
import type { IngestDeps } from './ingest-deps.ts'
import { MalformedRequest } from './remote-write/wire.ts'
import { RequestValidator } from './request-validator.ts'

/** Entries from before there were shards, and those of a sender in this process, are not divided yet. */
export async function splitJournal({ store, holder }: IngestDeps, partition: Partition): Promise<void> {
  await withLease(store.leases, partitionLease(partition), { ttlMs: leaseMs, holder }, async () => {
    const validator = new RequestValidator(Number.POSITIVE_INFINITY, () => undefined, true)
    for (;;) {
      const entries = await store.usage.journal(partition, 0, pieceBytes)
      if (entries.length === 0) return
      const consumed = entries.map(({ sequence }) => sequence)
      await store.usage.append(
        entries.flatMap((entry) => partsOf(validator, entry)),
        { partition, consumed },
      )
    }
  })
}

/** An entry that cannot be read is dropped: its sender got an acknowledgement and does not expect an error. */
function partsOf(validator: RequestValidator, entry: StoredEntry): JournalEntry[] {
  const { organisation, source } = entry.partition
  try {
    const { parts } = validator.check({ organisation, ...entry }, entry.receivedAt)
    return parts.map(({ shard, format, body }) => ({
      partition: { organisation, source, shard },
      receivedAt: entry.receivedAt,
      format,
      cluster: entry.cluster,
      body,
    }))
  } catch (error) {
    if (error instanceof MalformedRequest) return []
    throw error
  }
}

const leaseMs = 60_000
const pieceBytes = 8 << 20
