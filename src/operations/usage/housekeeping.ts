import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { hourMs } from '../../usage/digest.ts'
import { compactDays } from './compact-days.ts'
import type { DigestingDeps } from './digesting.ts'
import { partitionLease } from './partition-lease.ts'

/**
 * Removes what is older than an organisation keeps, and makes rows of days where nobody digests any more. Any node may,
 * one at a time; a little at a time, so that nobody waits.
 */
export async function keepHouse(
  { store, holder, now }: DigestingDeps,
  retentionDaysOf: (organisation: string) => number,
): Promise<{ pruned: number; compacted: number }> {
  if (!(await store.leases.acquire(lease, holder, leaseMs))) return { pruned: 0, compacted: 0 }
  const nowHour = Math.floor(now() / hourMs)
  const partitions = await store.usage.partitions()
  let pruned = 0
  for (const organisation of new Set(partitions.map((partition) => partition.organisation))) {
    const before = nowHour - 24 * retentionDaysOf(organisation)
    for (let rows = -1; rows !== 0; pruned += rows) {
      rows = await store.usage.prune(organisation, before, rowsAtOnce)
      await turnOfEventLoop()
    }
  }
  let compacted = 0
  for (const partition of partitions) {
    const [loose] = await store.usage.loose(partition, nowHour - 24, 1)
    const free = loose && (await store.leases.acquire(partitionLease(partition), keeper(holder), leaseMs))
    if (!free) continue
    const epoch = await store.usage.fence(partition)
    compacted += await compactDays(store.usage, partition, epoch, nowHour - 1)
    await store.leases.release(partitionLease(partition), keeper(holder))
  }
  await store.leases.release(lease, holder)
  return { pruned, compacted }
}

/** Another than who digests here, since that one must not be fenced off. */
const keeper = (holder: string): string => `${holder} keeping house`

const lease = 'usage-housekeeping'
const leaseMs = 10 * 60_000
const rowsAtOnce = 1000
