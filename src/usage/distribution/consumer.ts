import type { ByteReader } from '../bytes.ts'

/** Reads or skips the distribution at the cursor. */
export interface DistributionConsumer {
  addFrom(reader: ByteReader): void
}
