import { randomBytes } from 'node:crypto'
import type { Leases } from './port.ts'

/** More than a page that is free by chance, and random, so that no database keeps it in fewer bytes. */
const proofBytes = 48 * 1024
const leaseMs = 1_000

/**
 * Writes something that needs space of its own, durably, and removes it. Rejects with StoreUnavailable while the database
 * takes no writes: the disk is full, a quota is used up, it is read-only, it is away. Where another node is at it, that one finds out.
 */
export async function proveWritable(leases: Leases): Promise<void> {
  const holder = randomBytes(proofBytes).toString('base64')
  if (await leases.acquire('writable', holder, leaseMs)) await leases.release('writable', holder)
}
